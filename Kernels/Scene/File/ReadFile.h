// Reads a whole file into memory. Used for .dem and STL files.
#pragma once

#include <string>

namespace dem::detail
{

/// Returns the bytes of a file. Throws dem::Error if `path` does not exist, cannot be read, or is
/// not a regular file: a pipe would block, and a device has no end. `what`: kind of file, for
/// messages.
std::string readFile(const std::string& path, const std::string& what);

} // namespace dem::detail
