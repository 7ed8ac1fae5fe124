// The exception type of the solvers. Its text is shown to the user: what is wrong, where, and the
// cure.
#pragma once

#include <stdexcept>
#include <string>

namespace dem
{

class Error : public std::runtime_error
{
public:
  explicit Error(const std::string& what)
    : std::runtime_error(what)
  {
  }
};

/// Throws if n exceeds the 32-bit indices of kernels.
inline void checkCount(std::size_t n)
{
  if (n > 0xffffffffu)
    throw Error(std::to_string(n) +
      " numbers at once pass the limit of 2^32 - 1. Use fewer particles, or ask for fewer arrays.");
}

} // namespace dem
