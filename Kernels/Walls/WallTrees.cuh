// A linear BVH over the triangles of each mesh wall, in the wall's own frame.
#pragma once

#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Walls/WallMesh.h"
#include "Walls/WallSearch.cuh"

#include <algorithm>
#include <vector>

namespace dem
{

/// Owns the trees in the memory of a policy.
template <class Exec>
class WallTrees
{
public:
  explicit WallTrees(Exec& exec)
    : exec_(exec)
    , left_(exec)
    , right_(exec)
    , parent_(exec)
    , item_(exec)
    , box_(exec)
    , trees_(exec)
  {
  }

  /// Builds the trees. `elements`: set.elements in the memory of the policy; must stay there.
  void build(const WallSet& set, const WallElement* elements)
  {
    const std::size_t walls = set.walls();
    std::size_t nodes = 0;
    for (std::size_t w = 0; w < walls; ++w)
      if (set.isMesh(w))
        nodes += 2 * (set.first[w + 1] - set.first[w]);
    left_.resize(nodes);
    right_.resize(nodes);
    parent_.resize(nodes);
    item_.resize(nodes);
    box_.resize(nodes);
    std::vector<BvhView> trees(walls);
    Array<std::uint64_t, Exec> code(exec_), code_other(exec_);
    Array<std::uint32_t, Exec> item_other(exec_);
    Array<unsigned, Exec> arrived(exec_);
    std::size_t at = 0;
    for (std::size_t w = 0; w < walls; ++w)
    {
      trees[w] = BvhView{};
      if (!set.isMesh(w))
        continue;
      const std::uint32_t first = set.first[w], n = set.first[w + 1] - first;
      const BvhBox all = trianglesBox(set.elements.data() + first, n);
      Vec3d inverse{};
      for (int k = 0; k < 3; ++k)
        inverse[k] = all.upper[k] > all.lower[k] ? 1 / (all.upper[k] - all.lower[k]) : 0;
      code.resize(n);
      code_other.resize(n);
      item_other.resize(n);
      arrived.resize(n);
      arrived.zero();
      std::uint32_t* item = item_.data() + at;
      exec_.forEach(n, TriangleCodes{ elements, first, all.lower, inverse, code.data(), item });
      sortPairs(exec_, code.data(), code_other.data(), item, item_other.data(), n, 63);
      exec_.forEach(n, TriangleBoxes{ elements, item, n, box_.data() + at });
      if (n > 1)
      {
        exec_.forEach(n - 1,
          BuildBvhNodes{
            code.data(), n, left_.data() + at, right_.data() + at, parent_.data() + at, nullptr });
        exec_.forEach(n,
          BuildBvhBoxes{ left_.data() + at, right_.data() + at, parent_.data() + at, n,
            box_.data() + at, arrived.data() });
      }
      trees[w] =
        BvhView{ left_.data() + at, right_.data() + at, box_.data() + at, item, n, nullptr };
      at += 2 * n;
    }
    trees_.assign(trees);
    exec_.synchronize();
  }

  /// One tree for each wall; n = 0 if the wall is one analytic element.
  const BvhView* view() const { return trees_.data(); }

private:
  Exec& exec_;
  Array<std::uint32_t, Exec> left_, right_, parent_, item_;
  Array<BvhBox, Exec> box_;
  Array<BvhView, Exec> trees_;
};

} // namespace dem
