/**
 * Properties that are a number of a list of names.
 */

#ifndef vtkDEMChoice_h
#define vtkDEMChoice_h

#include "Core/Error.h"

#include <cstddef>
#include <string>

namespace vtkDEMChoice
{

/**
 * The enumerator of the solver with the number `value` of the property. Throws dem::Error, which
 * lists `names`, for other numbers.
 */
template <class Enum, std::size_t Size>
Enum Choice(const char* property, int value, const char* const (&names)[Size])
{
  if (value < 0 || value >= static_cast<int>(Size))
  {
    std::string known;
    for (std::size_t i = 0; i < Size; ++i)
    {
      known += (i ? ", " : "") + std::to_string(i) + " (" + names[i] + ")";
    }
    throw dem::Error(
      std::string(property) + " is " + std::to_string(value) + ". Known are: " + known + ".");
  }
  return static_cast<Enum>(value);
}

} // namespace vtkDEMChoice

#endif
