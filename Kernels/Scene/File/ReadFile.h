// A whole file as bytes, with errors for people.
#pragma once

#include <string>

namespace dem::detail
{

/// Throws dem::Error when `path` is missing, no regular file (a pipe would block, a device never
/// ends) or cannot be read. `what` names the kind of file in the message.
std::string readFile(const std::string& path, const std::string& what);

} // namespace dem::detail
