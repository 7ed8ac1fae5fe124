// The content of a saved state, read and checked against the run that takes it. The layout of its
// bytes is in MpmState.h.
#pragma once

#include "MaterialPoint/ExitedPoints.cuh"
#include "MaterialPoint/MpmState.h"
#include "MaterialPoint/PointsView.cuh"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace mpm
{

template <class Real>
struct SavedState
{
  std::uint64_t step = 0;
  RunTotals totals;
  std::uint64_t newton_iterations = 0, hessian_products = 0;
  std::vector<ExitedPoint> exited;
  std::vector<dem::Event> events; ///< changes under way so far
  std::vector<std::vector<Vec4<Real>>> columns;
  std::vector<Real> volume;
  std::vector<BinKey> key;
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> material;
  std::vector<Vec3d> wall_forces; ///< N, one an element

  /// Reads bytes of format version 2 to kStateVersion. Throws dem::Error if they do not belong to
  /// `owner` or are broken.
  static SavedState read(const std::vector<std::uint8_t>& bytes, const StateOwner& owner)
  {
    dem::SnapshotReader r(bytes);
    SavedState s;
    const std::uint32_t version = readHead(r, owner);
    s.step = r.value<std::uint64_t>();
    const auto time_step = r.value<double>();
    require(time_step == owner.time_step,
      "its time step is " + std::to_string(time_step) + " s, this run's is " +
        std::to_string(owner.time_step) + " s.");
    s.totals.sub_steps = r.value<std::uint64_t>();
    s.totals.lost = r.value<std::uint64_t>();
    if (version >= 4)
      s.readExits(r, owner);
    s.newton_iterations = r.value<std::uint64_t>();
    s.hessian_products = r.value<std::uint64_t>();
    s.totals.speed = r.value<float>();
    s.totals.point_speed = r.value<float>();
    s.totals.largest_cfl = r.value<double>();
    if (version >= 3)
      s.events = dem::readEvents(r);
    s.readPoints(r, owner);
    if (owner.walls)
      s.wall_forces = r.array<Vec3d>(owner.wall_elements, "the loads on walls");
    if (!r.atEnd())
      r.fail("there is more than a state");
    s.checkPoints(r, owner);
    return s;
  }

private:
  static void require(bool good, const std::string& what)
  {
    if (!good)
      throw dem::Error("The saved state cannot be used: " + what);
  }

  /// Returns the format version.
  static std::uint32_t readHead(dem::SnapshotReader& r, const StateOwner& owner)
  {
    require(
      r.value<std::uint32_t>() == kStateMagic, "it is not a state of a Material Point Method run.");
    const auto version = r.value<std::uint32_t>();
    require(version >= 2 && version <= kStateVersion,
      "its format version is " + std::to_string(version) + ", this program reads " +
        std::to_string(kStateVersion) + ".");
    const auto real = r.value<std::uint32_t>();
    require(real == sizeof(Real),
      std::string("it was made with Precision ") + (real == 4 ? "Single" : "Double") + ".");
    const auto spline = r.value<std::uint32_t>();
    require(spline == static_cast<std::uint32_t>(owner.spline),
      std::string("it was made with the spline ") + name(static_cast<Spline>(spline)) + ".");
    require(r.value<std::uint64_t>() == owner.fingerprint,
      "it belongs to another scene: points, materials, walls, domain or grid spacing differ.");
    return version;
  }

  void readExits(dem::SnapshotReader& r, const StateOwner& owner)
  {
    exited = r.array<ExitedPoint>();
    for (std::size_t k = 0; k < exited.size(); ++k)
      if (exited.size() > totals.lost || exited[k].id < 0 ||
        exited[k].id >= static_cast<std::int64_t>(owner.points) ||
        (k && exited[k].id <= exited[k - 1].id))
        r.fail("the points that left are not possible");
  }

  void readPoints(dem::SnapshotReader& r, const StateOwner& owner)
  {
    require(r.value<std::uint64_t>() == owner.points, "it has another number of points.");
    const auto n = r.value<std::uint64_t>();
    require(n <= owner.points, "it has more points than the scene.");
    for (int k = 0; k < PointsView<Real>::kColumns; ++k)
      columns.push_back(r.array<Vec4<Real>>(n, "a column of the points"));
    volume = r.array<Real>(n, "the volume");
    key = r.array<BinKey>(n, "the bins");
    id = r.array<std::uint32_t>(n, "the Ids");
    material = r.array<std::uint8_t>(n, "the materials");
  }

  void checkPoints(dem::SnapshotReader& r, const StateOwner& owner) const
  {
    std::vector<bool> seen(owner.points, false);
    for (std::size_t i = 0; i < id.size(); ++i)
    {
      if (key[i] != kGone && key[i] / kBlockBins >= owner.blocks)
        r.fail("point " + std::to_string(i) + " lies outside of the grid");
      const Vec4<Real>& place = columns[0][i]; // within the bin, and the mass
      for (int k = 0; k < 3; ++k)
        if (key[i] != kGone && !(place.xyz()[k] >= 0 && place.xyz()[k] <= 1))
          r.fail("point " + std::to_string(i) + " lies outside of its cell");
      // No point has more mass than all points at the start, whose sum scales the loads on walls.
      // Sub-steps in place do not write the mass of points that left, and nothing reads it.
      const bool mass = place.w > 0 && place.w <= (1 + 1e-5) * owner.mass;
      if (key[i] != kGone && !(mass && volume[i] > 0 && std::isfinite(volume[i])))
        r.fail("point " + std::to_string(i) + " has an impossible mass or volume");
      if (id[i] >= owner.points || seen[id[i]])
        r.fail("an Id is there twice or unknown");
      seen[id[i]] = true;
      if (material[i] >= owner.materials)
        r.fail("a material is unknown");
    }
  }
};

} // namespace mpm
