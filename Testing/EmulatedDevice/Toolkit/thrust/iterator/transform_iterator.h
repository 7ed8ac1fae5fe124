// Thrust's transform iterator on the emulated device.
#pragma once

#include <cstddef>

namespace thrust
{
template <class In, class Function>
struct transform_iterator
{
  In in;
  Function function;

  auto operator[](std::size_t i) const { return function(in[i]); }
};
template <class In, class Function>
transform_iterator<In, Function> make_transform_iterator(In in, Function function)
{
  return { in, function };
}
} // namespace thrust
