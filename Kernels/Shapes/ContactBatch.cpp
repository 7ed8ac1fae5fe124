#include "Shapes/ContactBatch.h"

#include "Core/CpuExec.h"
#include "Shapes/detail/ContactBatchImpl.cuh"

namespace dem
{

std::vector<ContactAnswer> findContacts(const std::vector<Shape>& shapes,
  const std::vector<ContactQuery>& queries, bool double_precision, const Device& device)
{
  for (std::size_t i = 0; i < queries.size(); ++i)
    for (int k = 0; k < (queries[i].partner == ContactPartner::Grain ? 2 : 1); ++k)
    {
      const std::int32_t s = queries[i].shape[k];
      if (s < -1 || s >= static_cast<std::int32_t>(shapes.size()))
        throw Error("Contact " + std::to_string(i) + " asks for shape " + std::to_string(s) +
          "; there are " + std::to_string(shapes.size()) + ".");
      if (s >= 0 && shapes[s].kind == ShapeKind::MultiSphere)
        throw Error("Contact " + std::to_string(i) + " asks for the Multi-Sphere '" +
          shapes[s].name + "' as a whole; ask for its spheres one by one (shape -1).");
    }
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
    return detail::findContactsOnCuda(shapes, queries, double_precision, device);
#endif
  CpuExec exec(device.threads);
  return double_precision ? detail::answerQueries<double>(exec, shapes, queries)
                          : detail::answerQueries<float>(exec, shapes, queries);
}

} // namespace dem
