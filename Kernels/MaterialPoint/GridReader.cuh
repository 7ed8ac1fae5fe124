// The grid of a frame: nodes that carry mass, with velocity and pressure.
#pragma once

#include "MaterialPoint/GridGeometry.cuh"
#include "MaterialPoint/GridNodes.cuh"
#include "MaterialPoint/MpmFrame.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace mpm
{

template <class Exec, class Real>
class GridReader
{
public:
  GridReader(const Scene& scene, const GridGeometry<Real>& geometry, PointSet<Exec, Real>& points,
    PointOrder<Exec>& order, GridNodes<Exec, Real>& nodes)
    : scene_(scene)
    , geometry_(geometry)
    , points_(points)
    , order_(order)
    , nodes_(nodes)
  {
  }

  /// The nodes with mass in ascending number, and the box around them. Overwrites the velocities of
  /// the nodes.
  template <Spline spline>
  void read(GridArrays& g)
  {
    const double h = scene_.grid_spacing;
    g.spacing = h;
    g.origin = { geometry_.node_origin.x, geometry_.node_origin.y, geometry_.node_origin.z };
    if (points_.entries() == 0)
      return;
    points_.makeOrder(scene_.equal_bits);
    nodes_.template resize<spline>();
    const PointsView<Real> p = points_.view();
    nodes_.template addToTiles<spline>(PlainLoad<Real>{ p, static_cast<Real>(h) });
    const std::vector<Vec4<Real>> motion = gather<spline>();
    nodes_.template addToTiles<spline>(PressureLoad<Real>{ p });
    const std::vector<Vec4<Real>> pressure = gather<spline>();
    const std::vector<Node> found = nodesWithMass(motion);
    if (!found.empty())
      write(found, motion, pressure, g);
  }

private:
  struct Node
  {
    int at[3];
    std::uint32_t index;
  };

  template <Spline spline>
  std::vector<Vec4<Real>> gather()
  {
    nodes_.template gather<spline>(true, nodes_.velocity());
    return nodes_.velocity().host();
  }

  std::vector<Node> nodesWithMass(const std::vector<Vec4<Real>>& motion) const
  {
    const std::vector<std::uint32_t> blocks = order_.touchedBlocks();
    std::vector<Node> found;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i)
      if (motion[i].w > 0)
      {
        Node n{ { 0, 0, 0 }, i };
        order_.grid().bin(
          blocks[i / kBlockBins] * kBlockBins + i % kBlockBins, n.at[0], n.at[1], n.at[2]);
        found.push_back(n);
      }
    std::sort(found.begin(), found.end(), [](const Node& a, const Node& b) {
      return a.at[2] != b.at[2] ? a.at[2] < b.at[2]
                                : (a.at[1] != b.at[1] ? a.at[1] < b.at[1] : a.at[0] < b.at[0]);
    });
    return found;
  }

  void write(const std::vector<Node>& found, const std::vector<Vec4<Real>>& motion,
    const std::vector<Vec4<Real>>& pressure, GridArrays& g) const
  {
    int low[3] = { 1 << 30, 1 << 30, 1 << 30 }, high[3] = { -1, -1, -1 };
    for (const Node& n : found)
      for (int k = 0; k < 3; ++k)
      {
        low[k] = std::min(low[k], n.at[k]);
        high[k] = std::max(high[k], n.at[k]);
      }
    for (int k = 0; k < 3; ++k)
    {
      g.origin[k] = geometry_.node_origin[k] + low[k] * g.spacing;
      g.nodes[k] = high[k] - low[k] + 1;
    }
    g.size = found.size();
    g.index = dem::HostArray<std::int64_t>(g.size);
    g.mass = dem::HostArray<float>(g.size);
    g.velocity = dem::HostArray<float>(3 * g.size);
    g.pressure = dem::HostArray<float>(g.size);
    for (std::size_t k = 0; k < g.size; ++k)
    {
      const Node& n = found[k];
      g.index[k] = (n.at[0] - low[0]) +
        static_cast<std::int64_t>(g.nodes[0]) *
          ((n.at[1] - low[1]) + static_cast<std::int64_t>(g.nodes[1]) * (n.at[2] - low[2]));
      g.mass[k] = static_cast<float>(motion[n.index].w);
      for (int a = 0; a < 3; ++a)
        g.velocity[3 * k + a] = static_cast<float>(motion[n.index].xyz()[a]);
      g.pressure[k] = static_cast<float>(pressure[n.index].x);
    }
  }

  const Scene& scene_;
  const GridGeometry<Real>& geometry_;
  PointSet<Exec, Real>& points_;
  PointOrder<Exec>& order_;
  GridNodes<Exec, Real>& nodes_;
};

} // namespace mpm
