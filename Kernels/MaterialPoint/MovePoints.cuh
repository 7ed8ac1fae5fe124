// The last kernel of a sub-step: points take velocity, affine field, deformation, stress and place
// from the nodes.
#pragma once

#include "Core/Atomic.cuh"
#include "MaterialPoint/Constitutive.cuh"
#include "MaterialPoint/GridTransfers.cuh"
#include "MaterialPoint/SeenField.cuh"
#include "MaterialPoint/StepReport.cuh"

#include <type_traits>

namespace mpm
{

/// The borders of the domain in units of bins.
template <class Real>
struct BinBorders
{
  Real lower, upper[3]; // bounds of bin + place in the bin
  bool remove[6];
};

/// From nodes to points: velocity, affine field, deformation, stress and place. Reads the points in
/// their old order, and writes them in the order of the bins or in place. kTile: nodes are read
/// from a tile in shared memory, else from global memory.
template <Spline spline, class Real, bool kTile = true>
struct NodesToPoints
{
  static constexpr unsigned kThreads = 128, kResidentBlocks = sizeof(Real) == 4 ? 5 : 1;
  struct NoTile
  {
  };
  struct Shared
  {
    std::conditional_t<kTile, NodeTile<spline, Real>, NoTile> tile;
    unsigned speed, point_speed, gone;
  };

  BlockGrid grid;
  const Vec4<Real>* node; // velocities that move and deform the points
  PointsView<Real> from, to;
  const std::uint32_t *start, *order;
  const MaterialParameters<Real>* materials;
  Real dt, spacing;
  bool affine, hold; // hold: points keep their places
  bool
    in_place; // points keep their entries; only column 0 and the keys of `to` are separate memory
  /// Velocities and C from another field (FLIP, implicit), in the order of the bins. Null: those
  /// that the points see.
  const Vec4<Real>* given_velocity;
  MatrixField<Real> given_affine;
  BinBorders<Real> borders;
  Control* control;
  std::uint32_t* mark; // receives 1 for the blocks of the new bins

  DEM_HD void operator()(std::uint32_t block, Shared& shared) const
  {
    const std::uint32_t begin = start[std::size_t(block) * kBlockBins],
                        end = start[std::size_t(block + 1) * kBlockBins];
    if (begin == end)
      return;
    if (teamFirst())
      shared.speed = shared.point_speed = shared.gone = 0;
    if constexpr (kTile)
      shared.tile.load(grid, block, node);
    else
      teamSync();
    float speed = 0, point_speed = 0;
    teamFor(begin, end, [&](std::uint32_t k) { move(k, shared, speed, point_speed); });
    dem::atomicRaise(&shared.speed, bitsOf(speed));
    dem::atomicRaise(&shared.point_speed, bitsOf(point_speed));
    teamSync();
    if (teamFirst())
    {
      dem::atomicRaise(&control->speed, shared.speed);
      dem::atomicRaise(&control->point_speed, shared.point_speed);
      if (shared.gone)
        dem::atomicGrow(&control->gone, shared.gone);
    }
  }

private:
  static constexpr Real kBeyondBorder =
    Real(1e-3); // cells: how far beyond the border the place of a point that left is put

  DEM_HD SeenField<Real> seeGlobal(BinKey key, const Vec3<Real>& f) const
  {
    const SeenNodes nodes(grid, key);
    const Vec4<Real>* from = node;
    return seeNodes<spline>(f, [&nodes, from](int i, int j, int k) {
      const std::uint32_t n = nodes.at(i, j, k);
      return n == BlockGrid::kNone ? Vec3<Real>{} : from[n].xyz();
    });
  }

  /// Moves whole cells of a place over into its bin, and keeps it within the borders. Returns
  /// whether the point left through a border.
  DEM_HD bool settle(Vec3<Real>& at, int (&bin)[3]) const
  {
    using std::floor;
    bool gone = false;
    MPM_UNROLL
    for (int a = 0; a < 3; ++a)
    {
      Real& x = at[a];
      Real whole = floor(x);
      if (x - whole >= 1) // x a little below 0 rounds to 1 above its floor
        whole = whole + 1;
      x = x - whole;
      x = x > 0 ? x : Real(0);
      bin[a] += static_cast<int>(whole);
      const Real now = Real(bin[a]) + x;
      if (now < borders.lower)
      {
        const bool leaves = borders.remove[2 * a];
        gone = gone || leaves;
        whole = floor(borders.lower);
        bin[a] = static_cast<int>(whole);
        x = borders.lower - whole - (leaves ? kBeyondBorder : Real(0));
      }
      else if (now > borders.upper[a])
      {
        const bool leaves = borders.remove[2 * a + 1];
        gone = gone || leaves;
        whole = floor(borders.upper[a]);
        bin[a] = static_cast<int>(whole);
        x = borders.upper[a] - whole + (leaves ? kBeyondBorder : Real(0));
      }
    }
    return gone;
  }

  DEM_HD void move(std::uint32_t k, Shared& shared, float& speed, float& point_speed) const
  {
    using std::fabs;
    using std::sqrt;
    // all reads come first: their latency dominates, and few threads fit
    const std::uint32_t i = order[k], out = in_place ? i : k;
    const BinKey key = from.key[i];
    const Vec4<Real> place = from.column[0][i];
    Matrix3<Real> f = from.deformation(i);
    Real plastic = from.column[1][i].w;
    const Real volume = from.volume[i];
    const std::uint8_t material = from.material[i];
    SeenField<Real> seen;
    if constexpr (kTile)
      seen = seeField<spline>(shared.tile.node, key, place.xyz());
    else
      seen = seeGlobal(key, place.xyz());

    const Real rate = 1 / spacing;
    Matrix3<Real> c{};
    if (given_affine.data)
      c = given_affine[k];
    else if (affine)
      c = (rate / Real(SplineTraits<spline>::kD)) * seen.moment; // B D^-1
    const Real last = to.putAffine(out, c);

    const MaterialParameters<Real>& m = materials[material];
    const Matrix3<Real> gradient = rate * seen.gradient;
    const Matrix3<Real> step = Matrix3<Real>::identity() + dt * gradient; // Meyer 2019, eq. 111
    if (m.kind == MaterialKind::Fluid)
      f.c[0].x = f.c[0].x * determinant(step);
    else
      f = step * f;
    const PointStress<Real> response = respond(m, gradient, f, plastic, dt);
    to.putStress(out, last, response.tau, f);

    const Vec3<Real> velocity = given_velocity ? given_velocity[k].xyz() : seen.value;
    Vec3<Real> way = hold ? Vec3<Real>{} : (dt * rate) * seen.value;
    const bool near = fabs(way.x) < Real(1) && fabs(way.y) < Real(1) && fabs(way.z) < Real(1);
    if (!response.good || !near)
    {
      const FaultKind kind = !near && way.x == way.x && way.y == way.y && way.z == way.z
        ? FaultKind::TooFast
        : FaultKind::Inverted;
      dem::atomicLower(&control->fault,
        static_cast<unsigned long long>(from.id[i]) << 8 | static_cast<unsigned>(kind));
      way = {};
    }

    int bin[3];
    grid.bin(key, bin[0], bin[1], bin[2]);
    Vec3<Real> at = place.xyz() + way;
    const bool gone = settle(at, bin);
    const BinKey now = gone ? kGone : grid.key(bin[0], bin[1], bin[2]);
    if (gone) // the place is then relative to bin 0, as the key names no bin
      at = at + Vec3<Real>{ Real(bin[0]), Real(bin[1]), Real(bin[2]) };
    to.column[0][out] = vec4(at, place.w);
    to.column[1][out] = vec4(velocity, plastic);
    to.key[out] = now;
    if (!in_place)
    {
      to.volume[out] = volume;
      to.id[out] = from.id[i];
      to.material[out] = material;
    }
    if (gone)
      dem::atomicGrow(&shared.gone, 1u);
    else
      dem::atomicPut(&mark[now / kBlockBins], 1u);

    const Real v = length(velocity);
    const Real sound = sqrt(response.stiffness * volume / place.w); // stiffness / density at rest
    const float total = static_cast<float>(v + sound);
    speed = total > speed ? total : speed;
    point_speed = static_cast<float>(v) > point_speed ? static_cast<float>(v) : point_speed;
  }
};

} // namespace mpm
