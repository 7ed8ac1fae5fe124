// findContacts() on CUDA: pairs of polyhedra with few faces by PolyhedraBlock, others one a thread.
#include "Core/CudaExec.cuh"

#include "Shapes/detail/ContactBatchImpl.cuh"
#include "Shapes/PolyhedraBlock.cuh"

namespace dem
{
namespace detail
{
namespace
{

/// Queries of two polyhedra with few faces, for PolyhedraBlock.
template <class Real>
struct FewFacedQueries
{
  using Number = Real;

  AnswerQueries<Real> answer;
  const std::uint32_t* which;
  std::uint32_t n;

  __device__ std::uint32_t size() const { return n; }
  __device__ bool has(std::uint32_t k) const { return k < n; }
  __device__ const ShapeView<Real>& shapes() const { return answer.shapes; }
  __device__ std::uint32_t read(std::uint32_t k, PolyhedraToCut<Real>& pair) const
  {
    const std::uint32_t i = which[k];
    const ContactQuery q = answer.queries[i];
    const Vec3<Real> apart = (q.center[1] - q.center[0]).template as<Real>();
    const ShapePose<Real> a =
      shapePose(Vec3<Real>{}, q.orientation[0], static_cast<Real>(q.radius[0]));
    const ShapePose<Real> b = shapePose(apart, q.orientation[1], static_cast<Real>(q.radius[1]));
    // for separate bodies, a face that is not entered: the overlap behind it is empty
    const FaceOfPair front = SolidPair<Real>(shapes(), q.shape[0], a, q.shape[1], b).leastEntered();
    pair.front = front.face;
    pair.swapped = front.of_b;
    pair.shape_a = front.of_b ? q.shape[1] : q.shape[0];
    pair.shape_b = front.of_b ? q.shape[0] : q.shape[1];
    pair.apart = front.of_b ? -apart : apart;
    pair.a = front.of_b ? b : a;
    pair.b = front.of_b ? a : b;
    pair.a.center = {};
    pair.b.center = pair.apart;
    return i;
  }
  __device__ void conclude(std::uint32_t i, const ContactGeometry<Real>& g, const Vec3<Real>&) const
  {
    answer.answers[i] = AnswerQueries<Real>::answer(answer.queries[i], g);
  }
  __device__ void forget(std::uint32_t i) const { conclude(i, {}, {}); }
};

template <class Real>
std::vector<ContactAnswer> answerByBlocks(
  CudaExec& exec, const std::vector<Shape>& shapes, const std::vector<ContactQuery>& queries)
{
  return answerQueries<Real>(exec, shapes, queries,
    [&](CudaExec&, const ShapeTable<Real>& table, const AnswerQueries<Real>& answer) {
      const auto few = [&](int s) {
        return isPolyhedron(table.view(), s) && isFewFaced(table.shapes[s]);
      };
      std::vector<std::uint32_t> which;
      for (std::size_t i = 0; i < queries.size(); ++i)
        if (queries[i].partner == ContactPartner::Grain && few(queries[i].shape[0]) &&
          few(queries[i].shape[1]))
          which.push_back(static_cast<std::uint32_t>(i));
      Array<std::uint32_t, CudaExec> listed(exec);
      listed.assign(which);
      const PolyhedraBlock<FewFacedQueries<Real>> blocks{ { answer, listed.data(),
        static_cast<std::uint32_t>(which.size()) } };
      if (!which.empty())
        exec.forEachBlock(blocks.blocks(which.size()), blocks);
      exec.synchronize(); // before the list is released
    });
}

} // namespace

std::vector<ContactAnswer> findContactsOnCuda(const std::vector<Shape>& shapes,
  const std::vector<ContactQuery>& queries, bool double_precision, const Device& device)
{
  CudaExec exec(device.ordinal, DeviceMemory::Pooled);
  return double_precision ? answerByBlocks<double>(exec, shapes, queries)
                          : answerByBlocks<float>(exec, shapes, queries);
}

} // namespace detail
} // namespace dem
