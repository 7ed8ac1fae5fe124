// Reads a whole file.
#pragma once

#include <string>

namespace dem::detail
{

/// The bytes of a file. Throws dem::Error if `path` is missing, is not a regular file (a pipe would
/// block, a device never ends) or cannot be read. `what` names the kind of file in the message.
std::string readFile(const std::string& path, const std::string& what);

} // namespace dem::detail
