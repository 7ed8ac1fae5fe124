/**
 * Values of VTK arrays as plain arrays of numbers: copies, checks and texts of them for messages.
 */

#ifndef vtkDEMValues_h
#define vtkDEMValues_h

#include "Bridge/vtkDEMParallel.h"
#include "Core/HostArray.h"

#include "vtkDataArray.h"
#include "vtkDataArrayRange.h"
#include "vtkFloatArray.h"
#include "vtkSmartPointer.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace vtkDEMValues
{

/**
 * Copies all values of `array`, times `scale`, to `to`.
 */
template <class ValueT>
void CopyRange(vtkDataArray* array, double scale, ValueT* to)
{
  const vtkIdType size = array->GetNumberOfValues();
  if (auto* floats = vtkFloatArray::FastDownCast(array))
  {
    const float* from = floats->GetPointer(0);
    vtkDEMParallel::For(size,
      [=](vtkIdType begin, vtkIdType end)
      {
        for (vtkIdType i = begin; i < end; ++i)
        {
          to[i] = static_cast<ValueT>(scale * from[i]);
        }
      });
    return;
  }
  if (array->GetDataType() == VTK_ID_TYPE || array->GetDataType() == VTK_LONG_LONG ||
    array->GetDataType() == VTK_LONG)
  {
    // The general path converts to double, which would cut digits of large Ids.
    if (scale == 1 && sizeof(ValueT) == sizeof(std::int64_t) &&
      !std::is_floating_point<ValueT>::value)
    {
      const void* from = array->GetVoidPointer(0);
      std::memcpy(to, from, static_cast<std::size_t>(size) * sizeof(ValueT));
      return;
    }
  }
  vtkIdType i = 0;
  for (const auto value : vtk::DataArrayValueRange(array))
  {
    to[i++] = static_cast<ValueT>(scale * static_cast<double>(value));
  }
}

/**
 * All values of `array`, times `scale`.
 */
template <class ValueT>
dem::HostArray<ValueT> Copied(vtkDataArray* array, double scale = 1)
{
  dem::HostArray<ValueT> values(static_cast<std::size_t>(array->GetNumberOfValues()));
  CopyRange(array, scale, values.data());
  return values;
}

/**
 * All values of `array`, times `scale`, as doubles. An array of doubles is used in place and
 * appended to `kept`, which must live as long as the result; others are copied into `copy`.
 */
const double* Doubles(vtkDataArray* array, dem::HostArray<double>& copy,
  std::vector<vtkSmartPointer<vtkDataArray>>& kept, double scale = 1);

/**
 * The first index below `size` for which `bad` holds, or `size`. Calls `bad` from several threads.
 */
template <class BadT>
vtkIdType FirstBad(vtkIdType size, const BadT& bad)
{
  std::atomic<vtkIdType> first(size);
  vtkDEMParallel::For(size,
    [&](vtkIdType begin, vtkIdType end)
    {
      for (vtkIdType i = begin; i < end && i < first.load(std::memory_order_relaxed); ++i)
      {
        if (bad(i))
        {
          vtkIdType seen = first.load();
          while (i < seen && !first.compare_exchange_weak(seen, i))
          {
          }
          return;
        }
      }
    });
  return first;
}

/**
 * Whether the 3 numbers from `x` on are finite.
 */
bool IsFinite(const double* x);

/**
 * A number to nine digits, and the 3 numbers from `x` on as "(1, 2, 3)".
 */
std::string Number(double value);
std::string Text(const double* x);

} // namespace vtkDEMValues

#endif
