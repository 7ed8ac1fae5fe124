// The position of the grid in space, and the domain's borders in terms of its nodes and bins.
#pragma once

#include "MaterialPoint/MovePoints.cuh"
#include "MaterialPoint/NodeBorders.cuh"
#include "MaterialPoint/SplineWeights.cuh"

#include <array>
#include <cstdint>
#include <type_traits>

namespace mpm
{

/// Nodes are counted from one cell below the lower corner of the domain, so that node 1 lies on the
/// lower border. Bins start half a cell (quadratic splines) or a cell (cubic splines) above the
/// nodes of their number.
template <class Real>
struct GridGeometry
{
  explicit GridGeometry(const Scene& scene)
    : cells(gridCells(scene))
    , spacing(scene.grid_spacing)
  {
    const double below = scene.spline == Spline::Quadratic ? 0.5 : 1;
    for (int k = 0; k < 3; ++k)
    {
      // bins up to cells[k], nodes up to three more
      blocks[k] = (cells[k] + 3) / kBlockEdge + 1;
      total_blocks *= static_cast<std::uint64_t>(blocks[k]);
      bin_borders.upper[k] = static_cast<Real>(cells[k] + 1 - below);
      node_borders.upper[k] = cells[k] + 1;
    }
    node_borders.lower = 1;
    bin_borders.lower = static_cast<Real>(1 - below);
    for (int k = 0; k < 6; ++k)
    {
      node_borders.kind[k] = scene.domain.border[k];
      bin_borders.remove[k] = scene.domain.border[k] == Border::Remove;
    }
    useFriction(scene);
    for (int k = 0; k < 3; ++k)
    {
      node_origin[k] = scene.domain.lower[k] - spacing;
      bin_origin[k] = node_origin[k] + below * spacing;
    }
  }

  /// Takes the friction of the borders from a scene after a change.
  void useFriction(const Scene& scene)
  {
    node_borders.friction = static_cast<Real>(scene.domain.friction);
  }

  const std::array<int, 3> cells; ///< of the domain
  const double spacing;           ///< m
  int blocks[3];                  ///< that cover all nodes
  std::uint64_t total_blocks = 1;
  Vec3d node_origin; ///< m, of node 0
  Vec3d bin_origin;  ///< m, lower corner of bin 0
  BinBorders<Real> bin_borders{};
  NodeBorders<Real> node_borders{};
};

/// Calls body with the spline as a std::integral_constant.
template <class Body>
void withSpline(Spline spline, const Body& body)
{
  if (spline == Spline::Quadratic)
    body(std::integral_constant<Spline, Spline::Quadratic>{});
  else
    body(std::integral_constant<Spline, Spline::Cubic>{});
}

} // namespace mpm
