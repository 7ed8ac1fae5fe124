// Collapse of sand columns with the Material Point Method: how far they run out.
#include "Beds.h"

#include "MaterialPoint/MpmFill.h"
#include "MaterialPoint/MpmSimulation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace validation
{
namespace
{

// Not fitted to run-outs: 31 degrees for dry sand, grains of 1 mm in a column of 80 mm radius (both
// within the range of experiments); the growth of friction with the rate, 0.26, and its inertial
// number are those of Jop, Forterre and Pouliquen 2006 for glass beads.
constexpr double kRadius = 0.08, kGrain = 1e-3, kAngle = 31 * M_PI / 180, kGrowth = 0.26;

struct Deposit
{
  double runout = 0, height = 0; // (edge - r0) / r0; height / r0
  double momentum_left = 0;      // kinetic over the first potential energy
};

struct Column
{
  bool plane = false; // a slice two cells thick, released from a smooth wall, in place of a quarter
                      // of a cylinder
  double aspect = 1;
  int cells = 16;
  double grain = kGrain; // m, 0: friction knows no rate
  double width = 0; // m, plane: of a channel whose side walls rub with tan(24.8 degrees); half of
                    // it is computed. 0: no side walls
};

// The floor rubs as sand on sand, tan(phi): Lube et al. found that it does not matter which it is.
// A floor that holds what touches it would hold a whole layer of nodes too, an error in the first
// order of the cells just where the deposit is thin. In the plane the deposit ends in a foot one to
// four grains thick, of a third of a length: run-outs grow with the number of cells until these are
// as thin as grains, and then no more (where the deposit is four grains thick they do so from 32
// cells on). The deposit ends where it is thinner than a grain, seen from its middle: what lies
// beyond a gap does not belong to it.
Deposit collapse(const Column& c, const dem::RunOptions& options)
{
  const double h = kRadius / c.cells, h0 = c.aspect * kRadius, g = 9.81;
  mpm::Scene s;
  s.gravity = { 0, 0, -g };
  s.grid_spacing = h;
  s.cfl = 0.6;
  mpm::Material& sand = s.materials[0];
  sand.kind = mpm::MaterialKind::DruckerPrager;
  sand.density = 1600;
  sand.youngs_modulus = 1e5 * std::max(1., c.aspect);
  sand.poissons_ratio = 0.2;
  sand.friction_angle = kAngle;
  sand.grain_diameter = c.grain;
  sand.fast_friction_angle = std::asin(std::sin(kAngle) + kGrowth);
  const double reach = kRadius *
    (c.plane ? 2 + 3 * std::max(1., c.aspect) : 1.6 + 1.9 * std::max(1., c.aspect)),
               thick = !c.plane ? reach : (c.width > 0 ? h * std::round(0.5 * c.width / h) : 2 * h);
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { reach, thick, h0 + 4 * h };
  s.domain.border[4] = mpm::Border::Separate;
  s.domain.friction = std::tan(kAngle);
  if (c.width > 0)
  {
    dem::Wall side;
    side.kind = dem::WallKind::Plane;
    side.origin = { 0, thick, 0 };
    side.normal = { 0, -1, 0 };
    s.walls = { side };
    s.wall_contacts = { { mpm::Contact::Separate, std::tan(24.8 * M_PI / 180) } };
    s.domain.upper.y += 4 * h;
  }
  const mpm::PointInput all =
    mpm::fillBox({ 0, 0, 0 }, { kRadius, c.plane ? thick : kRadius, h0 }, h, 2, 0.3, 1);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (c.plane || std::hypot(all.position[i].x, all.position[i].y) < kRadius)
    {
      s.points.position.push_back(all.position[i]);
      s.points.volume.push_back(all.volume[i]);
    }
  s.output_interval = 0.05 * std::sqrt(h0 / g);
  s.end_time = 4.5 * std::sqrt(h0 / g) + 1e-9;
  mpm::Simulation run(s, { options.device, options.threads });
  const mpm::Statistics begin = run.statistics();
  run.advanceTo((run.plan().outputs - 1) * run.plan().steps_per_output);
  mpm::FrameSelection few;
  few.grid = few.stress = few.deformation = few.von_mises = few.plastic_strain = few.jacobian =
    few.volume = few.velocity = false;
  const mpm::Frame f = run.frame(few);
  // mean thickness of rings, in the volume at rest
  const double ring = 0.04 * kRadius;
  std::vector<double> thickness(static_cast<std::size_t>(2 * reach / ring) + 2, 0.);
  Deposit d;
  for (std::size_t i = 0; i < f.size; ++i)
  {
    const double x = f.position[3 * i], r = c.plane ? x : std::hypot(x, f.position[3 * i + 1]);
    const auto k = static_cast<std::size_t>(r / ring);
    thickness[k] += h * h * h / 8 /
      (c.plane ? ring * thick : M_PI / 4 * ring * ring * (2. * static_cast<double>(k) + 1));
    d.height = std::max(d.height, f.position[3 * i + 2] / kRadius);
  }
  std::size_t k = 1;
  while (thickness[k] > kGrain)
    ++k;
  const double part = std::min(1., (thickness[k - 1] - kGrain) / (thickness[k - 1] - thickness[k]));
  d.runout = (static_cast<double>(k) - 0.5 + part) * ring / kRadius - 1;
  d.momentum_left = f.statistics.kinetic_energy / begin.potential_energy;
  return d;
}

} // namespace

// What is published for columns of an aspect ratio. Round: Lube et al. 2004 (sands, seeds: 1.24 a
// below 1.7, 1.6 sqrt(a) above) and Lajeunesse et al. 2004 (glass beads: 1.35 a below 0.74, 2
// sqrt(a) above) in experiments. Plane: Lajeunesse et al. 2005, in a channel, whose side walls
// brake (1.2 a below 2.3), and K. Kumar 2015, chapter 4, by DEM of disks without them (1.67 a),
// whose friction angle in shear, 22 degrees, is less than that of this sand, 27 (its sine).
// Above 2.3 these go on with the exponents of Balmforth and Kerswell 2005: 0.65 in narrow channels,
// 0.9 in wide ones.
struct Published
{
  double low, high;
};
constexpr double kNarrow = 0.65, kWide = 0.9;
Published published(const Column& c)
{
  const double a = c.aspect, above = std::max(1., a / 2.3), low = std::min(a, 2.3);
  if (c.plane)
    return { 1.2 * low * std::pow(above, kNarrow), 1.67 * low * std::pow(above, kWide) };
  return { a < 1.7 ? 1.24 * a : 1.6 * std::sqrt(a), a < 0.74 ? 1.35 * a : 2 * std::sqrt(a) };
}

void runMpmColumn(Report& report, const dem::RunOptions& options)
{
  report.setup("sand: Mohr-Coulomb at 31 degrees whose friction grows with the inertial number by "
               "0.26 (I_0 = 0.279; grains of 1 mm), no cohesion, E = 0.1 MPa times the aspect "
               "ratio above 1, 1,600 kg/m^3; on a floor of friction tan(31 degrees)");
  report.setup("a quarter of a cylinder of 80 mm radius, or a slice of a column as long, two cells "
               "thick, 8 points a cell, quadratic APIC, looked at after 4.5 sqrt(h0 / g); the "
               "deposit ends where it is thinner than a grain");
  report.setup("published, (r - r0) / r0: round 1.24 a below a = 1.7 and 1.6 sqrt(a) above (Lube "
               "et al. 2004, J. Fluid Mech. 508, 175) to 1.35 a below 0.74 and 2 sqrt(a) above "
               "(Lajeunesse et al. 2004, Phys. Fluids 16, 2371); plane 1.2 a in a channel "
               "(Lajeunesse et al. 2005, Phys. Fluids 17, 103302) to 1.67 a by DEM (K. Kumar 2015, "
               "thesis, Cambridge, chapter 4), from a = 2.3 on growing with a^0.65 to a^0.9 "
               "(Balmforth and Kerswell 2005, J. Fluid Mech. 538, 399: narrow and wide channels)");
  const bool gpu = dem::chooseDevice(options.device, options.threads).kind == dem::DeviceKind::CUDA;
  Table table{ "runout",
    { "plane", "aspect ratio", "cells a radius", "(r - r0) / r0", "published, from", "to",
      "height / r0", "kinetic / first potential" },
    {}, true };
  std::vector<std::pair<Column, Deposit>> done;
  const auto add = [&](const Column& c) {
    for (const auto& [column, deposit] : done)
      if (column.plane == c.plane && column.aspect == c.aspect && column.cells == c.cells &&
        column.grain == c.grain && column.width == c.width)
        return deposit;
    const Deposit d = collapse(c, options);
    done.emplace_back(c, d);
    const Published p = published(c);
    table.rows.push_back({ c.plane ? 1. : 0., c.aspect, static_cast<double>(c.cells), d.runout,
      p.low, p.high, d.height, d.momentum_left });
    std::fprintf(stderr, "      mpm-column: %s a = %.1f, %d cells: %.3f (%.3f to %.3f)\n",
      c.plane ? "plane" : "round", c.aspect, c.cells, d.runout, p.low, p.high);
    return d;
  };
  // of columns with equal cells: each run-out still grows with their number
  const auto exponent = [&](bool plane, double a, int cells) {
    return std::log(add({ plane, 2 * a, cells, kGrain }).runout /
             add({ plane, a, cells, kGrain }).runout) /
      std::log(2.);
  };
  const auto cells = [&](double a) {
    return a < 0.7 ? (gpu ? 96 : 32)
      : a < 1.7    ? (gpu ? 64 : 32)
      : a < 3      ? (gpu ? 48 : 24)
                   : (gpu ? 32 : 16);
  };
  for (double a : { 0.5, 1.0, 2.0, 4.0 })
  {
    const Column c{ false, a, cells(a), kGrain };
    const Deposit d = add(c);
    const Published p = published(c);
    char name[80];
    std::snprintf(name, sizeof name, "run-out (r - r0) / r0 at aspect ratio %.1f", a);
    report.between(name, d.runout, 0.9 * p.low, std::min(1.1 * p.high, 1.35 * p.low),
      "the two groups of experiments, a tenth on either side for their scatter about their laws "
      "and for the cells, and no more than 35 % over Lube's");
    std::snprintf(name, sizeof name, "kinetic over first potential energy at aspect ratio %.1f", a);
    report.below(name, d.momentum_left, 1e-3, "the deposit rests");
  }
  report.near("exponent from aspect ratio 0.5 to 1", exponent(false, 0.5, cells(1)), 1, 0.2,
    "Lube et al. 2004, Lajeunesse et al. 2005: linear in low columns");
  report.between("exponent from aspect ratio 2 to 4", exponent(false, 2, cells(4)), 0.4, 0.7,
    "1/2 in tall ones");
  for (double a : { 0.5, 1.0, 2.0 })
  {
    const Column c{ true, a, gpu ? 128 : 32, kGrain };
    char name[80];
    std::snprintf(name, sizeof name, "run-out of a plane column of aspect ratio %.1f", a);
    const double runout = add(c).runout;
    report.between(name, runout, published(c).low, published(c).high,
      "a channel with side walls to DEM without them");
    if (gpu && a >= 1)
    {
      const double half = add({ true, a, 64, kGrain }).runout;
      std::snprintf(name, sizeof name, "change from 64 to 128 cells, plane, aspect ratio %.0f", a);
      report.below(name, std::fabs(runout - half) / runout, 0.06,
        "converged, once cells are as thin as grains");
    }
  }
  const int tall = gpu ? 64 : 16;
  for (double a : { 4.0, 8.0 })
  {
    const Column c{ true, a, tall, kGrain };
    char name[80];
    std::snprintf(name, sizeof name, "run-out of a plane column of aspect ratio %.1f", a);
    const Deposit d = add(c);
    report.between(name, d.runout, published(c).low, published(c).high,
      "the laws of channels and of DEM below 2.3, continued by a^0.65 and a^0.9 (Balmforth and "
      "Kerswell 2005)");
    std::snprintf(
      name, sizeof name, "kinetic over first potential energy, plane, aspect ratio %.1f", a);
    report.below(name, d.momentum_left, 1e-3, "the deposit rests");
  }
  report.near("exponent from aspect ratio 1 to 2, plane", exponent(true, 1, gpu ? 128 : 32), 1, 0.2,
    "Lajeunesse et al. 2005: linear in low columns");
  report.between("exponent from aspect ratio 4 to 8, plane", exponent(true, 4, tall),
    kNarrow - 0.05, kWide + 0.1,
    "Balmforth and Kerswell 2005: 0.65 +- 0.05 in narrow channels, 0.9 +- 0.1 in wide ones");
  const int across = gpu ? 48 : 24;
  const double open = add({ true, 1, across, kGrain }).runout,
               channel = add({ true, 1, across, kGrain, 0.045 }).runout;
  report.between("what side walls take from the run-out of a plane column of aspect ratio 1, in a "
                 "channel 0.6 of its length wide",
    open - channel, 0.1, 0.47,
    "side walls brake (Lajeunesse et al. 2005), at most from the 1.67 of DEM without them to the "
    "1.2 of channels; theirs rub with 24.8 degrees (K. Kumar 2015, table 4.1, which gives no "
    "width)");
  const double coarse = add({ true, 1, 16, kGrain }).runout,
               fine = add({ true, 1, 32, kGrain }).runout, plain = add({ true, 1, 32, 0 }).runout;
  report.near("run-out of a plane column of aspect ratio 1, 32 cells", fine, 1.2, 0.2 * 1.2,
    "Lajeunesse et al. 2005: 1.2 a below 2.3");
  report.below("change from 16 to 32 cells, plane, aspect ratio 1", std::fabs(fine - coarse), 0.25,
    "on the way to a limit");
  report.atLeast("run-out without the growth of friction over that with it, 32 cells", plain / fine,
    1.05, "fast thin layers rub more");
  if (gpu)
  {
    const double half = add({ false, 1, 32, kGrain }).runout,
                 whole = add({ false, 1, cells(1), kGrain }).runout;
    report.below("change from 32 to 64 cells, round, aspect ratio 1",
      std::fabs(whole - half) / whole, 0.1, "on the way to a limit");
  }
  report.table(table);
}

} // namespace validation
