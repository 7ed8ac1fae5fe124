#include "Analysis/CoarseGraining.h"

#include "Analysis/detail/CoarseGrainingEngine.h"
#include "Core/Error.h"

#include <cmath>
#include <cstdio>

namespace dem
{

double smoothingReach(SmoothingKernel kernel, double width)
{
  return kernel == SmoothingKernel::Gauss ? 3 * width : width;
}

std::vector<AveragedField> coarseGrainedFields(bool heat)
{
  constexpr int by_mass = 0;
  std::vector<AveragedField> fields{ { "MassDensity", 1, -1 }, { "MomentumDensity", 3, -1 },
    { "Velocity", 3, by_mass }, { "SolidFraction", 1, -1 }, { "GranularTemperature", 1, by_mass },
    { "KineticStress", 6, -1 }, { "ContactStress", 6, -1 }, { "WallForceDensity", 3, -1 } };
  if (heat)
    fields.push_back({ "Temperature", 1, by_mass });
  return fields;
}

std::array<double**, 9> pointersOf(CoarseGrainedFields& f)
{
  return { &f.mass_density, &f.momentum_density, &f.velocity, &f.solid_fraction,
    &f.granular_temperature, &f.kinetic_stress, &f.contact_stress, &f.wall_force_density,
    &f.temperature };
}

CoarseGraining::CoarseGraining(const Device& device)
  : device_(device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
  {
    engine_ = makeCudaCoarseGraining(device);
    return;
  }
#endif
  engine_ = makeCpuCoarseGraining(device);
}

CoarseGraining::~CoarseGraining() = default;
CoarseGraining::CoarseGraining(CoarseGraining&&) noexcept = default;
CoarseGraining& CoarseGraining::operator=(CoarseGraining&&) noexcept = default;

double CoarseGraining::bytes(double points)
{
  double numbers = 3;
  for (const AveragedField& field : coarseGrainedFields())
    numbers += field.components;
  return points * numbers * sizeof(double);
}

void CoarseGraining::require(double points, const CoarseGrainingOptions& options)
{
  char text[96];
  std::snprintf(text, sizeof text, "Coarse graining at %.0f points", points);
  requireMemory(
    text, bytes(points), options.memory_limit, "Use fewer points, or raise the memory limit.");
  if (points > 4e9)
    throw Error(std::string(text) + ": more than 4e9 are too many. Use fewer.");
}

void CoarseGraining::compute(const Grains& grains, const GrainContacts* contacts,
  const double* points, std::size_t number_of_points, const CoarseGrainingOptions& options,
  const CoarseGrainedFields& fields)
{
  if (!(options.width > 0 && std::isfinite(options.width)))
    throw Error("The kernel's width is " + std::to_string(options.width) +
      " m; it must be above 0. Two or three grain radii suit most packings.");
  if (!(options.density > 0 && std::isfinite(options.density)))
    throw Error(
      "The density is " + std::to_string(options.density) + " kg/m^3; it must be above 0.");
  require(static_cast<double>(number_of_points), options);
  for (std::size_t i = 0; i < 3 * number_of_points; ++i)
    if (!std::isfinite(points[i]))
      throw Error("Point " + std::to_string(i / 3) +
        " of the evaluation points has a coordinate that is not finite.");
  if (grains.size > 0xfffffff0ull || (contacts && contacts->size > 0xfffffff0ull))
    throw Error("There are " + std::to_string(grains.size) + " grains and " +
      std::to_string(contacts ? contacts->size : 0) +
      " contacts; more than 2^32 - 16 cannot be averaged.");
  engine_->compute(grains, contacts, points, number_of_points, options, fields);
}

} // namespace dem
