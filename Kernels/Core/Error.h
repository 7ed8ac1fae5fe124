// The one exception type of the solvers. Its text is written for the person at the screen: what is wrong, where, and the cure.
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

} // namespace dem
