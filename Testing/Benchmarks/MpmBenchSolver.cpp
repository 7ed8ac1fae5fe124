#include "MpmBenchSolver.h"

#include "Core/Error.h"
#include "MaterialPoint/MpmFill.h"
#include "MaterialPoint/MpmSimulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <utility>

namespace bench
{

MaterialKind materialOf(const std::string& name)
{
  for (const auto& [key, kind] :
    { std::pair<const char*, MaterialKind>{ "fixed-corotated", MaterialKind::FixedCorotated },
      { "corotated", MaterialKind::Corotated }, { "neo-hookean", MaterialKind::NeoHookean },
      { "drucker-prager", MaterialKind::DruckerPrager }, { "von-mises", MaterialKind::VonMises },
      { "fluid", MaterialKind::Fluid } })
    if (name == key)
      return kind;
  throw dem::Error("There is no material '" + name + "'. See --help.");
}

namespace
{

// A cube with 8 points a cell that falls and turns.
Scene blockScene(const Run& run, std::size_t points)
{
  Scene s;
  const double edge = std::cbrt(static_cast<double>(points) / 8), h = 0.01;
  const double size = std::max(1., std::round(edge)) * h, margin = 8 * h;
  s.grid_spacing = h;
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { size + 2 * margin, size + 2 * margin, size + 2 * margin };
  const Vec3d low{ margin, margin, margin };
  s.points = fillBox(low, low + Vec3d{ size, size, size }, h, 2, run.options.jitter, 1);
  s.materials[0].kind = materialOf(run.options.material);
  s.materials[0].youngs_modulus = 1e6;
  s.materials[0].poissons_ratio = 0.3;
  s.materials[0].yield_stress = 1e3;
  s.materials[0].bulk_modulus = 1e6;
  s.spline = run.options.spline == "cubic" ? Spline::Cubic : Spline::Quadratic;
  s.precision = run.options.precision == "double" ? Precision::Double : Precision::Single;
  s.transfer = run.options.transfer == "pic"
    ? Transfer::PIC
    : (run.options.transfer == "flip" ? Transfer::FLIP : Transfer::APIC);
  s.equal_bits = !run.options.any_order;
  // strains that keep every model at work, and a turn through the bins
  const Vec3d middle = low + 0.5 * Vec3d{ size, size, size };
  const double w = 0.5 / size;
  s.points.velocity.reserve(s.points.size());
  for (const Vec3d& x : s.points.position)
  {
    const Vec3d d = x - middle;
    s.points.velocity.push_back({ -w * d.y - 0.2 * w * d.x, w * d.x, 0.1 * w * d.z });
  }
  s.output_interval = 1;
  s.end_time = 1000;
  return s;
}

double secondsOf(const std::function<void()>& work)
{
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

void timeSteps(Run& run, bool implicit)
{
  const std::size_t wanted = run.options.particles
    ? run.options.particles
    : (run.cuda() ? 10000000 : (implicit ? 50000 : 1000000));
  Scene s = blockScene(run, wanted);
  if (implicit)
  {
    s.integration = TimeIntegration::ImplicitMidpoint;
    const double sound = std::sqrt(1e6 * 0.7 / (1.3 * 0.4) / 1000);
    s.time_step = s.output_interval = 4 * s.grid_spacing / sound; // four times the explicit limit
    s.implicit.newton_tolerance = 1e-3;
  }
  const std::size_t n = s.points.size();
  Simulation simulation(s, { run.device.kind, run.options.threads });
  s.points = {};
  const int warm = implicit ? 1 : (run.cuda() ? 20 : 2),
            steps = run.repeat(implicit ? 5 : 200, implicit ? 2 : 10);
  simulation.advanceTo(warm);
  const Statistics before = simulation.statistics();
  const double seconds = secondsOf([&] { simulation.advanceTo(warm + steps); });
  const Statistics after = simulation.statistics();
  const double sub_steps = static_cast<double>(after.sub_steps - before.sub_steps),
               rate = static_cast<double>(n) * sub_steps / seconds;
  json r{ { "case", implicit ? "implicit" : "explicit" }, { "points", n },
    { "spline", name(s.spline) }, { "transfer", name(s.transfer) },
    { "precision", run.options.precision }, { "material", run.options.material },
    { "equal_bits", s.equal_bits }, { "sub_steps", sub_steps }, { "seconds", seconds },
    { "point_steps_per_second", rate },
    { "bytes_per_point", static_cast<double>(simulation.deviceBytes()) / static_cast<double>(n) },
    { "device", run.device.name } };
  std::string text = format("%-8s %zu points, %s %s %s %s%s: %.4g point-steps/s (%.3f ms a step, "
                            "%.0f steps), %.0f bytes a point",
    implicit ? "implicit" : "explicit", n, name(s.spline), name(s.transfer),
    run.options.precision.c_str(), run.options.material.c_str(), s.equal_bits ? "" : ", any order",
    rate, 1e3 * seconds / sub_steps, sub_steps,
    static_cast<double>(simulation.deviceBytes()) / static_cast<double>(n));
  if (implicit)
  {
    const double products = static_cast<double>(after.hessian_products - before.hessian_products);
    r["hessian_products"] = products;
    r["newton_iterations"] = after.newton_iterations - before.newton_iterations;
    r["point_products_per_second"] = products * static_cast<double>(n) / seconds;
    text += format(", %.4g point-products/s in all (%.0f products, %.0f Newton iterations)",
      products * static_cast<double>(n) / seconds, products,
      static_cast<double>(after.newton_iterations - before.newton_iterations));
  }
  run.row(r, text);
}

void memory(Run& run)
{
  const std::size_t wanted =
    run.options.particles ? run.options.particles : (run.cuda() ? 400000000 : 1000000);
  Scene s = blockScene(run, wanted);
  s.points.velocity = {};
  const std::size_t n = s.points.size();
  Simulation simulation(s, { run.device.kind, run.options.threads });
  s.points = {};
  const double seconds = secondsOf([&] { simulation.advanceTo(3); });
  const double bytes = static_cast<double>(simulation.deviceBytes()) / static_cast<double>(n);
  run.row({ { "case", "memory" }, { "points", n }, { "bytes_per_point", bytes },
            { "seconds_of_3_steps", seconds } },
    format("memory   %zu points: %.1f bytes a point on the device, %.2f GiB; 3 steps took %.2f s",
      n, bytes, bytes * static_cast<double>(n) / (1 << 30), seconds));
}

} // namespace bench
