// CoarseGraining for an execution policy. Grains and the middles of branches are sorted into cells
// whose edge is half the search distance. One thread per point adds up the neighbours it finds,
// cell by cell in rows of x, and within a cell in ascending Id (contacts: as given).
#pragma once

#include "Analysis/Smoothing.cuh"
#include "Analysis/detail/CoarseGrainingEngine.h"
#include "Analysis/detail/ContactInput.cuh"
#include "Analysis/detail/GrainInput.cuh"
#include "BroadPhase/SortedGrid.cuh"

#include <algorithm>
#include <utility>

namespace dem
{
namespace detail
{

/// Points sorted into cells, for the search around a place. w of a position is not used.
struct Located
{
  Grid grid;
  const Vec4<double>* position;
  const std::uint32_t* cell_start;
  double reach; // m

  /// Calls visit(i, square of the distance to p) for all points within `reach` of p.
  template <class Visit>
  DEM_HD void forNear(const Vec3d& p, const Visit& visit) const
  {
    const CellRange r = grid.around(p, reach);
    for (int z = r.lo[2]; z <= r.hi[2]; ++z)
      for (int y = r.lo[1]; y <= r.hi[1]; ++y)
        grid.forRun(r.lo[0], r.hi[0], y, z, [&](std::uint32_t cell, int run) {
          for (std::uint32_t i = cell_start[cell], end = cell_start[cell + run]; i < end; ++i)
          {
            const Vec3d d = position[i].xyz() - p;
            const double d2 = dot(d, d);
            if (d2 < reach * reach)
              visit(i, d2);
          }
        });
  }
};

/// A branch, its force on the first grain, and whether it ends on a wall.
struct Branch
{
  Vec3d from, direction, force;
  double length;
  bool wall;
};

struct PackBranches
{
  const double *first_place, *second_place, *normal_force, *tangential_force;
  const std::int64_t* second;
  Branch* branches;
  Vec4<double>* middle; // w: half the length

  DEM_HD void operator()(std::uint32_t c) const
  {
    const Vec3d a = PackGrains::at(first_place, c), b = PackGrains::at(second_place, c);
    const double size = length(b - a);
    branches[c] = { a, (size > 0 ? 1 / size : 0) * (b - a),
      PackGrains::at(normal_force, c) + PackGrains::at(tangential_force, c), size, second[c] < 0 };
    middle[c] = vec4(0.5 * (a + b), 0.);
  }
};

template <class T>
struct Reorder
{
  const T* in;
  const std::uint32_t* item;
  T* out;

  DEM_HD void operator()(std::uint32_t i) const { out[i] = in[item[i]]; }
};

/// Computes the fields at a point: one search over grains for densities and the mean velocity, a
/// second one for the deviations from it, and one over branches.
struct CoarseGrain
{
  Smoothing phi;
  const double* points;
  Located grains;
  const Vec4<double>* velocity; // in the order of `grains`; w: mass
  const double* temperature;    // likewise; or null
  Located middles;
  const Branch* branches; // in the order of `middles`; null: no contacts, or no forces
  CoarseGrainedFields out;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec3d x = PackGrains::at(points, i);
    const std::size_t i3 = 3 * std::size_t(i), i6 = 6 * std::size_t(i);
    double mass = 0, solid = 0, heat = 0;
    Vec3d momentum;
    grains.forNear(x, [&](std::uint32_t g, double d2) {
      const Vec4<double> v = velocity[g];
      const double w = phi(d2), r = grains.position[g].w;
      mass += w * v.w;
      solid += w * (4. / 3 * 3.14159265358979323846) * r * r * r;
      momentum += w * v.w * v.xyz();
      if (temperature)
        heat += w * v.w * temperature[g];
    });
    const double per_mass = mass > 0 ? 1 / mass : 0;
    const Vec3d u = per_mass * momentum;
    if (out.mass_density)
      out.mass_density[i] = mass;
    if (out.solid_fraction)
      out.solid_fraction[i] = solid;
    if (out.temperature)
      out.temperature[i] = per_mass * heat;
    for (int k = 0; k < 3; ++k)
    {
      if (out.momentum_density)
        out.momentum_density[i3 + k] = momentum[k];
      if (out.velocity)
        out.velocity[i3 + k] = u[k];
    }

    if (out.granular_temperature || out.kinetic_stress)
    {
      double f[6] = { 0, 0, 0, 0, 0, 0 };
      grains.forNear(x, [&](std::uint32_t g, double d2) {
        const Vec4<double> v = velocity[g];
        add(f, phi(d2) * v.w, v.xyz() - u, v.xyz() - u);
      });
      if (out.granular_temperature)
        out.granular_temperature[i] = per_mass * (f[0] + f[1] + f[2]) / 3;
      for (int k = 0; out.kinetic_stress && k < 6; ++k)
        out.kinetic_stress[i6 + k] = -f[k];
    }

    double s[6] = { 0, 0, 0, 0, 0, 0 };
    Vec3d wall;
    if (branches && (out.contact_stress || out.wall_force_density))
      middles.forNear(x, [&](std::uint32_t c, double) {
        const Branch b = branches[c];
        const Vec3d d = b.from - x;
        const double mean = phi.alongLine(d, b.direction, b.length);
        if (mean > 0)
          add(s, mean * b.length, b.force, b.direction);
        if (b.wall)
        {
          const Vec3d e = d + b.length * b.direction;
          const double e2 = dot(e, e);
          if (e2 < phi.reach * phi.reach)
            wall += phi(e2) * b.force;
        }
      });
    for (int k = 0; out.contact_stress && k < 6; ++k)
      out.contact_stress[i6 + k] = s[k];
    for (int k = 0; out.wall_force_density && k < 3; ++k)
      out.wall_force_density[i3 + k] = wall[k];
  }

  /// Adds the symmetric part of w a b.
  DEM_HD static void add(double (&s)[6], double w, const Vec3d& a, const Vec3d& b)
  {
    s[0] += w * a.x * b.x;
    s[1] += w * a.y * b.y;
    s[2] += w * a.z * b.z;
    s[3] += 0.5 * w * (a.x * b.y + a.y * b.x);
    s[4] += 0.5 * w * (a.y * b.z + a.z * b.y);
    s[5] += 0.5 * w * (a.x * b.z + a.z * b.x);
  }
};

/// Sorts points into cells. Keeps its memory from use to use.
template <class Exec>
class Locator
{
public:
  explicit Locator(Exec& exec)
    : exec_(exec)
    , keys_(exec)
    , keys_other_(exec)
    , item_(exec)
    , item_other_(exec)
    , cell_start_(exec)
    , position_(exec)
  {
  }

  /// Sorts n points for searches within `reach` (m).
  Located locate(const Vec4<double>* position, std::uint32_t n, double reach)
  {
    Vec3d lower, upper;
    boundingBox(exec_, position, n, lower, upper);
    const Grid grid =
      chooseGrid(lower, upper, {}, 0.5 * reach, std::min(std::max(65536., 8. * n), 2e9), false);
    const std::uint32_t cells = grid.cells();
    keys_.resize(n);
    keys_other_.resize(n);
    item_.resize(n);
    item_other_.resize(n);
    cell_start_.resize(std::size_t(cells) + 1);
    cell_start_.zero();
    if (n)
    {
      exec_.forEach(n, ComputeCellKeys{ grid, position, keys_.data(), item_.data() });
      sortPairs(exec_, keys_.data(), keys_other_.data(), item_.data(), item_other_.data(), n,
        bitsOf(cells));
      exec_.forEach(
        std::size_t(n) + 1, FindCellStarts{ keys_.data(), n, cells, 64, cell_start_.data() });
      exec_.forEach(std::size_t(cells) + 1, FillEmptyCells{ keys_.data(), n, cell_start_.data() });
    }
    return { grid, reorder(position, position_), cell_start_.data(), reach };
  }
  /// Data of the points located last, in their sorted order.
  template <class T>
  const T* reorder(const T* in, Array<T, Exec>& out)
  {
    out.resize(item_.size());
    exec_.forEach(item_.size(), Reorder<T>{ in, item_.data(), out.data() });
    return out.data();
  }

private:
  Exec& exec_;
  Array<std::uint32_t, Exec> keys_, keys_other_, item_, item_other_, cell_start_;
  Array<Vec4<double>, Exec> position_;
};

} // namespace detail

template <class Exec>
class CoarseGrainingOn : public CoarseGrainingEngine
{
public:
  template <class... Args>
  explicit CoarseGrainingOn(Args&&... args)
    : exec_(std::forward<Args>(args)...)
    , data_(exec_)
    , contacts_(exec_)
    , grains_(exec_)
    , branches_(exec_)
    , points_(exec_)
    , branch_(exec_)
    , sorted_branch_(exec_)
    , velocity_(exec_)
    , middle_(exec_)
    , temperature_(exec_)
  {
    for (int k = 0; k < 9; ++k)
      outputs_.emplace_back(exec_);
  }

  void compute(const Grains& grains, const GrainContacts* contacts, const double* points,
    std::size_t number_of_points, const CoarseGrainingOptions& options,
    const CoarseGrainedFields& fields) override
  {
    exec_.inArena([&] { run(grains, contacts, points, number_of_points, options, fields); });
  }

private:
  void run(const Grains& grains, const GrainContacts* contacts, const double* points,
    std::size_t number_of_points, const CoarseGrainingOptions& options,
    const CoarseGrainedFields& fields)
  {
    CoarseGrainedFields wanted = fields, out = fields;
    const auto info = coarseGrainedFields(true);
    const auto host = pointersOf(wanted), device = pointersOf(out);
    detail::requireReachable(exec_, fields.memory);
    for (std::size_t k = 0; k < host.size(); ++k)
      *device[k] = outputs_[k](*host[k], number_of_points * info[k].components, fields.memory);

    const Smoothing phi = Smoothing::make(options.kernel, options.width);
    const detail::PackedGrains packed = data_.pack(data_.stage(grains), options.density, 0);
    detail::CoarseGrain kernel{ phi, points_(points, 3 * number_of_points),
      grains_.locate(packed.position, packed.size, phi.reach), nullptr, nullptr, {}, nullptr, out };
    kernel.velocity = grains_.reorder(packed.velocity, velocity_);
    if (packed.temperature)
      kernel.temperature = grains_.reorder(packed.temperature, temperature_);
    if (contacts && contacts->size)
    {
      const auto m = static_cast<std::uint32_t>(contacts->size);
      const detail::ContactsOnDevice touching = contacts_.stage(*contacts);
      const double longest = contacts_.check(touching, grains.size); // squared
      if (touching.normal_force)
      {
        branch_.resize(m);
        middle_.resize(m);
        exec_.forEach(m,
          detail::PackBranches{ touching.first_place, touching.second_place, touching.normal_force,
            touching.tangential_force, touching.second, branch_.data(), middle_.data() });
        kernel.middles =
          branches_.locate(middle_.data(), m, phi.reach + 0.5 * std::sqrt(longest) * (1 + 1e-12));
        kernel.branches = branches_.reorder(branch_.data(), sorted_branch_);
      }
    }
    exec_.forEach(number_of_points, kernel);
    for (auto& output : outputs_)
      output.fetch();
    exec_.finishCopies();
  }

  Exec exec_;
  detail::GrainInput<Exec> data_;
  detail::ContactInput<Exec> contacts_;
  detail::Locator<Exec> grains_, branches_;
  detail::Input<double, Exec> points_;
  Array<detail::Branch, Exec> branch_, sorted_branch_;
  Array<Vec4<double>, Exec> velocity_, middle_;
  Array<double, Exec> temperature_;
  std::vector<detail::Output<double, Exec>> outputs_;
};

} // namespace dem
