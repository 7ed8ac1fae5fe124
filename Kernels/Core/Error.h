// The one exception type of the solvers. Its text is written for the person at the screen: what is
// wrong, where, and the cure.
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

/// Kernels count in 32 bits.
inline void checkCount(std::size_t n)
{
  if (n > 0xffffffffu)
    throw Error(std::to_string(n) +
      " numbers at once pass the limit of 2^32 - 1. Use fewer particles, or ask for fewer arrays.");
}

} // namespace dem
