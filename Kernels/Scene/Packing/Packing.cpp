// Places the grains of a packing, on a lattice or by random sequential addition.
#include "Scene/Packing/Packing.h"

#include "Core/Error.h"
#include "Core/RowRange.h"
#include "Scene/Packing/PackingRows.h"
#include "Scene/Packing/Radii.h"
#include "Scene/Packing/RandomStream.h"
#include "Scene/Packing/Region.h"
#include "Scene/Packing/Text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <optional>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace dem
{
namespace
{

using namespace detail;

constexpr double kSphereFactor = 4.18879020478639098; // 4 pi / 3
constexpr double kRandomFill = 0.30;

// Largest number of particles for the memory of this machine.
std::int64_t memoryLimit()
{
  constexpr double bytes_each = 160;
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
  const double bytes =
    static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (bytes > 0)
  {
    return static_cast<std::int64_t>(bytes / bytes_each);
  }
#endif
  return std::numeric_limits<std::int32_t>::max();
}

// Placed grains in one hashed grid per factor of two in size. Grains must be added in descending
// radius. Radii of level l are in (r_max / 2^(l + 1), r_max / 2^l].
class PlacedGrains
{
public:
  /// `all`: radii of all grains, and positions of the placed ones.
  PlacedGrains(ParticleInput& all, const Vec3d& lower, double r_max)
    : all_(all)
    , lower_(lower)
    , r_max_(r_max)
    , level_radius_(r_max)
    , next_(all.size(), -1)
  {
    while (buckets_ < 2 * all.size())
    {
      buckets_ *= 2;
    }
    head_.assign(buckets_, -1);
  }

  /// Sets the radius of the next grain, not larger than the last. Starts a new level if needed.
  void setRadius(double r)
  {
    while (r <= level_radius_ / 2)
    {
      level_radius_ /= 2;
      ++level_;
    }
  }

  /// Returns true if a grain of radius r at p overlaps no placed grain.
  bool hasRoom(const Vec3d& p, double r) const
  {
    double big = r_max_;
    for (int level = 0; level <= level_; ++level, big /= 2)
    {
      if (!hasRoom(p, r, level, big))
      {
        return false;
      }
    }
    return true;
  }

  void add(std::int32_t i, const Vec3d& p)
  {
    const Vec3d q = p - lower_;
    const double width = 2 * level_radius_;
    const std::size_t b = bucket(level_, cell(q.x, width), cell(q.y, width), cell(q.z, width));
    all_.position[i] = p;
    next_[i] = head_[b];
    head_[b] = i;
  }

private:
  // As above, for the grains of one level, whose radii are at most `big`.
  bool hasRoom(const Vec3d& p, double r, int level, double big) const
  {
    const double width = 2 * big, reach = r + big;
    const Vec3d q = p - lower_;
    const std::int64_t x0 = cell(q.x - reach, width), x1 = cell(q.x + reach, width);
    const std::int64_t y0 = cell(q.y - reach, width), y1 = cell(q.y + reach, width);
    const std::int64_t z0 = cell(q.z - reach, width), z1 = cell(q.z + reach, width);
    for (std::int64_t z = z0; z <= z1; ++z)
    {
      for (std::int64_t y = y0; y <= y1; ++y)
      {
        for (std::int64_t x = x0; x <= x1; ++x)
        {
          for (std::int32_t j = head_[bucket(level, x, y, z)]; j >= 0; j = next_[j])
          {
            const Vec3d d = p - all_.position[j];
            const double sum = r + all_.radius[j];
            if (!(dot(d, d) >= sum * sum))
            {
              return false;
            }
          }
        }
      }
    }
    return true;
  }

  std::size_t bucket(int level, std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    const std::uint64_t key = (static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15ull) ^
      (static_cast<std::uint64_t>(y) * 0xc2b2ae3d27d4eb4full) ^
      (static_cast<std::uint64_t>(z) * 0x165667b19e3779f9ull);
    return static_cast<std::size_t>(mix(key + static_cast<std::uint64_t>(level)) & (buckets_ - 1));
  }

  static std::int64_t cell(double x, double width)
  {
    return static_cast<std::int64_t>(std::floor(x / width));
  }

  ParticleInput& all_;
  const Vec3d lower_;
  const double r_max_;
  double level_radius_;
  int level_ = 0;
  std::size_t buckets_ = 16;
  std::vector<std::int32_t> head_, next_;
};

class Packer
{
public:
  Packer(const PackingSpec& spec, const PackingLimits& limits)
    : spec_(spec)
    , limits_(limits)
    , radii_(spec)
    , shift_(spec.seed, 1)
    , most_(std::min(limits.particles, memoryLimit()))
  {
    if (!spec.region_points.empty() || !spec.region_triangles.empty())
    {
      region_.emplace(spec.region_points, spec.region_triangles);
    }
    checkBox();
    checkOptions();
  }

  ParticleInput run()
  {
    switch (spec_.kind)
    {
      case PackingKind::Lattice:
      case PackingKind::JitteredLattice:
        fillLattice();
        break;
      case PackingKind::Random:
        fillAtRandom();
        break;
      default:
        failPacking(
          "unknown kind of packing " + std::to_string(static_cast<int>(spec_.kind)) + ".");
    }
    const std::size_t n = out_.size();
    if (n == 0)
    {
      failPacking(std::string("nothing fits: no grain of radius ") + number(radii_.largest()) +
        " m lies wholly inside the " + (region_ ? "region and the box" : "box") +
        ". Enlarge it or take smaller grains.");
    }
    out_.material.assign(n, spec_.material);
    if (!(spec_.velocity == Vec3d{}))
    {
      out_.velocity.assign(n, spec_.velocity);
    }
    if (!(spec_.angular_velocity == Vec3d{}))
    {
      out_.angular_velocity.assign(n, spec_.angular_velocity);
    }
    return std::move(out_);
  }

private:
  void checkBox() const
  {
    for (int k = 0; k < 3; ++k)
    {
      const double size = spec_.upper[k] - spec_.lower[k];
      const std::string axis(1, "xyz"[k]);
      if (!std::isfinite(size) || !(size > 0))
      {
        failPacking("the box reaches from " + number(spec_.lower[k]) + " to " +
          number(spec_.upper[k]) + " m along " + axis +
          "; the upper end must be above the lower one, both finite.");
      }
      if (size < 2 * radii_.largest() * (1 - kTolerance))
      {
        failPacking("nothing fits: the box is " + number(size) + " m wide along " + axis +
          " and the largest grain has a diameter of " + number(2 * radii_.largest()) +
          " m. Enlarge the box or take smaller grains.");
      }
      if (size > 1e12 * radii_.smallest())
      {
        failPacking("the box is " + number(size) + " m wide along " + axis +
          " and the smallest grain has a radius of " + number(radii_.smallest()) +
          " m; their ratio is limited to 1e12. Take a smaller box or larger grains.");
      }
    }
  }

  void checkOptions() const
  {
    const double r_min = radii_.smallest(), r_max = radii_.largest();
    if (!(r_min * r_min * r_min > 0) || !std::isfinite(1e3 * r_max * r_max * r_max))
    {
      failPacking("grains with radii from " + number(r_min) + " to " + number(r_max) +
        " m have no volume that a number can hold.");
    }
    if (spec_.count > most_)
    {
      tooMany(static_cast<double>(spec_.count));
    }
    if (spec_.material < 0)
    {
      failPacking(
        "the material index is " + std::to_string(spec_.material) + "; it must be 0 or above.");
    }
  }

  [[noreturn]] void tooMany(double wanted) const
  {
    failPacking("it would hold " + number(wanted) + " grains, and at most " +
      std::to_string(most_) +
      " can be held in this machine's memory. Set a smaller count, take larger grains or a smaller "
      "box.");
  }

  [[noreturn]] void tooFew(const std::string& how) const
  {
    failPacking("only " + std::to_string(placed_) + " of " + std::to_string(spec_.count) +
      " grains could be placed" + how +
      ". Lower the count, enlarge the box or the region, or take smaller grains.");
  }

  // Lattice with `sites` sites along each axis of the box. Only sites from `begin` to `end` - 1 are
  // within the bounds of the region.
  struct Lattice
  {
    double spacing = 0; // m
    Vec3d first{};      // m, position of site (0, 0, 0)
    std::array<double, 3> sites{};
    std::array<std::int64_t, 3> begin{}, end{};
    double total = 1, seen = 1; // sites in the box, and within the bounds of the region
  };

  Lattice makeLattice() const
  {
    const double r_max = radii_.largest();
    Lattice l;
    l.spacing = spec_.spacing > 0 ? spec_.spacing : 2.02 * r_max;
    if (l.spacing < 2 * r_max * (1 - kTolerance))
    {
      failPacking("the spacing is " + number(l.spacing) + " m, less than the largest diameter (" +
        number(2 * r_max) +
        " m), so that grains would overlap. Use at least the diameter, or 0 for 2.02 radii.");
    }
    for (int k = 0; k < 3; ++k)
    {
      const double room = std::max(0.0, spec_.upper[k] - spec_.lower[k] - 2 * r_max);
      l.sites[k] = std::floor(room / l.spacing + kTolerance) + 1;
      l.total *= l.sites[k];
      const double rest = std::max(0.0, room - (l.sites[k] - 1) * l.spacing);
      // The lattice is centred in x and y. In z it begins above the floor with half the gap of
      // layers.
      l.first[k] = spec_.lower[k] + r_max +
        (k == 2 ? std::min(rest / 2, (l.spacing - 2 * r_max) / 2) : rest / 2);
      double low = 0, high = l.sites[k];
      if (region_)
      {
        low = std::max(low, std::floor((region_->lower()[k] - l.first[k]) / l.spacing));
        high = std::min(high, std::ceil((region_->upper()[k] - l.first[k]) / l.spacing) + 1);
      }
      l.seen *= std::max(0.0, high - low);
      if (high > 4e18)
      {
        tooMany(l.total);
      }
      l.begin[k] = static_cast<std::int64_t>(std::min(low, high));
      l.end[k] = static_cast<std::int64_t>(high);
    }
    return l;
  }

  // Throws dem::Error for a lattice with too few or too many sites.
  void checkLattice(const Lattice& l)
  {
    const double wanted = spec_.count > 0 ? static_cast<double>(spec_.count) : l.seen;
    if (!region_)
    {
      if (spec_.count > 0 && l.total < wanted)
      {
        placed_ = static_cast<std::int64_t>(l.total);
        tooFew(" on a lattice of " + number(l.spacing) + " m spacing");
      }
      if (wanted > static_cast<double>(most_))
      {
        tooMany(wanted);
      }
      out_.position.reserve(static_cast<std::size_t>(wanted));
      out_.radius.reserve(static_cast<std::size_t>(wanted));
    }
    else if (l.seen > static_cast<double>(limits_.sites))
    {
      failPacking("the lattice has " + number(l.seen) +
        " sites within the bounds of the region, more than the " + std::to_string(limits_.sites) +
        " that are looked at. Take a larger spacing or larger grains.");
    }
  }

  void fillLattice()
  {
    const Lattice l = makeLattice();
    checkLattice(l);
    for (std::int64_t z = l.begin[2]; z < l.end[2]; ++z)
    {
      for (std::int64_t y = l.begin[1]; y < l.end[1]; ++y)
      {
        for (std::int64_t x = l.begin[0]; x < l.end[0]; ++x)
        {
          placeAt(l, { x, y, z });
          if (placed_ > 0 && placed_ == spec_.count)
          {
            return;
          }
        }
      }
    }
    if (spec_.count > 0)
    {
      tooFew(" on a lattice of " + number(l.spacing) + " m spacing");
    }
  }

  // Places the grain of a site if it is inside the region.
  void placeAt(const Lattice& l, const std::array<std::int64_t, 3>& at)
  {
    const bool jittered = spec_.kind == PackingKind::JitteredLattice && spec_.jitter > 0;
    const std::uint64_t index =
      (static_cast<std::uint64_t>(at[2]) * static_cast<std::uint64_t>(l.sites[1]) + at[1]) *
        static_cast<std::uint64_t>(l.sites[0]) +
      at[0];
    const double r = radii_(index);
    Vec3d p;
    for (int k = 0; k < 3; ++k)
    {
      p[k] = l.first[k] + static_cast<double>(at[k]) * l.spacing;
      if (jittered)
      {
        p[k] += spec_.jitter * (l.spacing / 2 - r) * (2 * shift_(index, k) - 1);
      }
      p[k] = std::max(spec_.lower[k] + r, std::min(spec_.upper[k] - r, p[k]));
    }
    if (region_ && !region_->contains(p, r))
    {
      return;
    }
    if (placed_ == most_)
    {
      tooMany(static_cast<double>(placed_) + 1);
    }
    out_.position.push_back(p);
    out_.radius.push_back(r);
    ++placed_;
  }

  /// Volume of the intersection of box and region, m^3, and the bounds of this intersection.
  double freeVolume(Vec3d& lower, Vec3d& upper) const
  {
    lower = spec_.lower;
    upper = spec_.upper;
    for (int k = 0; region_ && k < 3; ++k)
    {
      lower[k] = std::max(lower[k], region_->lower()[k]);
      upper[k] = std::min(upper[k], region_->upper()[k]);
      if (upper[k] - lower[k] < 2 * radii_.largest() * (1 - kTolerance))
      {
        failPacking("nothing fits: the region and the box share " +
          number(std::max(0.0, upper[k] - lower[k])) + " m along " + std::string(1, "xyz"[k]) +
          " and the largest grain has a diameter of " + number(2 * radii_.largest()) + " m.");
      }
    }
    const Vec3d size = upper - lower;
    const double volume = size.x * size.y * size.z;
    if (!region_)
    {
      return volume;
    }
    constexpr int samples = 16384;
    const RandomStream random(spec_.seed, 3);
    int hits = 0;
    for (int i = 0; i < samples; ++i)
    {
      const Vec3d p{ lower.x + size.x * random(i, 0), lower.y + size.y * random(i, 1),
        lower.z + size.z * random(i, 2) };
      hits += region_->contains(p, 0) ? 1 : 0;
    }
    return volume * std::max(hits, 1) / samples;
  }

  // Returns one radius per grain. Without a count, radii are drawn until they fill the fraction
  // kRandomFill of `volume` (m^3).
  std::vector<double> drawRadii(double volume) const
  {
    std::vector<double> radius;
    if (spec_.count > 0)
    {
      radius.reserve(static_cast<std::size_t>(spec_.count));
      for (std::int64_t i = 0; i < spec_.count; ++i)
      {
        radius.push_back(radii_(i));
      }
      return radius;
    }
    const double r = radii_.largest(), target = kRandomFill * volume;
    if (target / (kSphereFactor * r * r * r) > static_cast<double>(most_))
    {
      tooMany(target / (kSphereFactor * r * r * r));
    }
    double filled = 0;
    while (true)
    {
      const double next = radii_(radius.size());
      filled += kSphereFactor * next * next * next;
      if (filled > target * (1 + kTolerance) && !radius.empty())
      {
        return radius;
      }
      radius.push_back(next);
      if (static_cast<std::int64_t>(radius.size()) > most_)
      {
        tooMany(static_cast<double>(radius.size()));
      }
    }
  }

  void fillAtRandom()
  {
    Vec3d lower, upper;
    const double volume = freeVolume(lower, upper);
    const Vec3d size = upper - lower;
    const double share = volume / (size.x * size.y * size.z);
    const double attempts = static_cast<double>(limits_.attempts) / std::max(share, 0.01);
    std::vector<double> radius = drawRadii(volume);
    auto n = static_cast<std::int64_t>(radius.size());
    // Without a count, a box that is too narrow for this fill gets fewer grains: the first n radii.
    // They are an unbiased sample, which the n largest radii are not.
    while (!place(radius, lower, upper, attempts))
    {
      if (spec_.count > 0)
      {
        tooFew(
          " at random without overlap (solid fraction reached: " + number(solid_ / volume) + ")");
      }
      n = std::min<std::int64_t>(n - 1, n * 9 / 10);
      if (n <= 0)
      {
        out_ = {};
        return;
      }
      radius.resize(static_cast<std::size_t>(n));
    }
  }

  // Random sequential addition in descending radius. Returns false if a grain cannot be placed.
  bool place(
    const std::vector<double>& radius, const Vec3d& lower, const Vec3d& upper, double attempts)
  {
    const std::size_t n = radius.size();
    std::vector<std::int32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
      [&](std::int32_t a, std::int32_t b) { return radius[a] > radius[b]; });
    out_.radius = radius;
    out_.position.assign(n, Vec3d{});
    placed_ = 0;
    solid_ = 0;
    const RandomStream place(spec_.seed, 2);
    PlacedGrains grains(out_, lower, radius[order[0]]);
    for (const std::int32_t i : order)
    {
      const double r = radius[i];
      grains.setRadius(r);
      bool found = false;
      for (double attempt = 0; attempt < attempts && !found; ++attempt)
      {
        Vec3d p;
        for (int k = 0; k < 3; ++k)
        {
          const double room = std::max(0.0, upper[k] - lower[k] - 2 * r);
          p[k] = lower[k] + r +
            room *
              place(static_cast<std::uint64_t>(i), 3 * static_cast<std::uint64_t>(attempt) + k);
          p[k] = std::max(spec_.lower[k] + r, std::min(spec_.upper[k] - r, p[k]));
        }
        if (grains.hasRoom(p, r) && (!region_ || region_->contains(p, r)))
        {
          grains.add(i, p);
          found = true;
        }
      }
      if (!found)
      {
        return false;
      }
      ++placed_;
      solid_ += kSphereFactor * r * r * r;
    }
    return true;
  }

  const PackingSpec& spec_;
  PackingLimits limits_;
  Radii radii_;
  RandomStream shift_; // shifts of jittered sites
  std::int64_t most_;
  std::optional<Region> region_;
  ParticleInput out_;
  std::int64_t placed_ = 0;
  double solid_ = 0;
};

} // namespace

ParticleInput makePacking(const PackingSpec& spec, const PackingLimits& limits)
{
  try
  {
    checkRows(spec, "Packing: ");
    if (spec.shape == 0)
    {
      return Packer(spec, limits).run();
    }
    // The bounding spheres are packed. The radii of the grains are those of spheres of equal
    // volume.
    PackingSpec around = spec;
    for (double* r : { &around.radius, &around.radius_min, &around.radius_max })
    {
      *r *= spec.reach;
    }
    around.spacing *= spec.reach;
    around.radius_deviation *= spec.radius_kind == RadiusKind::LogNormal ? 1 : spec.reach;
    for (double& r : around.table_radius)
    {
      r *= spec.reach;
    }
    ParticleInput out = Packer(around, limits).run();
    for (double& r : out.radius)
    {
      r /= spec.reach;
    }
    out.shape.assign(out.size(), spec.shape);
    const RandomStream random(spec.seed, 4);
    for (std::size_t i = 0; spec.turned && i < out.size(); ++i)
    {
      out.orientation.push_back(randomOrientation(random, i));
    }
    return out;
  }
  catch (const std::bad_alloc&)
  {
    failPacking(
      "not enough memory for its grains. Set a smaller count, take larger grains or a smaller "
      "box.");
  }
}

ParticleInput makePacking(const PackingSpec& spec) { return makePacking(spec, PackingLimits{}); }

} // namespace dem
