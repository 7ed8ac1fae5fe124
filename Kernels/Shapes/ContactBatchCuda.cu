#include "Core/CudaExec.cuh"

#include "Shapes/detail/ContactBatchImpl.cuh"

namespace dem
{
namespace detail
{

std::vector<ContactAnswer> findContactsOnCuda(
  const std::vector<Shape>& shapes, const std::vector<ContactQuery>& queries, bool double_precision, const Device& device)
{
  CudaExec exec(device.ordinal, DeviceMemory::Pooled);
  return double_precision ? answerQueries<double>(exec, shapes, queries) : answerQueries<float>(exec, shapes, queries);
}

} // namespace detail
} // namespace dem
