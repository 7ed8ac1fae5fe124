// The memory of the points: the columns of PointsView.
#pragma once

#include "Core/Array.h"
#include "MaterialPoint/PointsView.cuh"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpm
{

template <class Exec, class Real>
struct PointColumns
{
  template <class T>
  using Buffer = dem::Array<T, Exec>;

  explicit PointColumns(Exec& e)
    : volume(e)
    , key(e)
    , id(e)
    , material(e)
  {
    for (int k = 0; k < PointsView<Real>::kColumns; ++k)
      column.emplace_back(e);
  }

  void resize(std::size_t n)
  {
    for (auto& c : column)
      c.resize(n);
    volume.resize(n);
    key.resize(n);
    id.resize(n);
    material.resize(n);
  }

  PointsView<Real> view()
  {
    PointsView<Real> v;
    for (int k = 0; k < PointsView<Real>::kColumns; ++k)
      v.column[k] = column[k].data();
    v.volume = volume.data();
    v.key = key.data();
    v.id = id.data();
    v.material = material.data();
    return v;
  }

  std::vector<Buffer<Vec4<Real>>> column;
  Buffer<Real> volume;
  Buffer<BinKey> key;
  Buffer<std::uint32_t> id;
  Buffer<std::uint8_t> material;
};

} // namespace mpm
