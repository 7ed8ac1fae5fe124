// Reads regular files, with checks before they are opened.
#include "Scene/File/ReadFile.h"

#include "Core/Error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>

namespace dem::detail
{

std::string readFile(const std::string& path, const std::string& what)
{
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
  {
    throw Error(path + ": this " + what + " does not exist. Check the name and the folder.");
  }
  if (status.type() != fs::file_type::regular)
  {
    throw Error(path + ": cannot be read as " + what + ": " +
      (error                         ? error.message()
          : fs::is_directory(status) ? "it is a folder"
                                     : "it is a device or a pipe") +
      ".");
  }
  const std::uintmax_t size = fs::file_size(path, error);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (error || !in)
  {
    throw Error(path + ": cannot open this " + what + ": " +
      (error ? error.message() : std::strerror(errno)) + ".");
  }
  try
  {
    std::string bytes(static_cast<std::size_t>(size), '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(size));
    if (static_cast<std::uintmax_t>(in.gcount()) != size)
    {
      throw Error(path + ": reading this " + what + " stopped at offset " +
        std::to_string(in.gcount()) + " of " + std::to_string(size) + ".");
    }
    return bytes;
  }
  catch (const std::bad_alloc&)
  {
    throw Error(
      path + ": not enough memory for this " + what + " of " + std::to_string(size) + " bytes.");
  }
}

} // namespace dem::detail
