#include "Analysis/CellAverage.h"

#include "Analysis/detail/CellAverageEngine.h"
#include "Core/Error.h"

#include <cmath>
#include <cstdio>

namespace dem
{

std::size_t CellGrid::cells() const
{
  std::size_t n = 1;
  for (const auto& e : edges)
    n *= e.empty() ? 0 : e.size() - 1;
  return n;
}

CellGrid uniformGrid(const double lower[3], const double upper[3], const int size[3])
{
  CellGrid grid;
  for (int k = 0; k < 3; ++k)
  {
    grid.edges[k].resize(static_cast<std::size_t>(size[k]) + 1);
    for (int i = 0; i <= size[k]; ++i)
      grid.edges[k][i] = i == size[k] ? upper[k] : lower[k] + (upper[k] - lower[k]) * i / size[k];
  }
  return grid;
}

std::vector<AveragedField> cellAverageFields(int species, bool heat)
{
  constexpr int by_mass = 0, by_number = 1, by_solid = 2;
  std::vector<AveragedField> fields{ { "MassDensity", 1, -1 }, { "NumberDensity", 1, -1 },
    { "SolidFraction", 1, -1 }, { "Velocity", 3, by_mass }, { "GranularTemperature", 1, by_mass },
    { "AngularVelocity", 3, by_mass }, { "KineticStress", 6, -1 }, { "ContactStress", 6, -1 },
    { "CoordinationNumber", 1, by_number }, { "SpeciesFraction", species, by_solid } };
  if (heat)
    fields.push_back({ "Temperature", 1, by_mass });
  return fields;
}

std::array<double**, 11> pointersOf(CellAverageFields& f)
{
  return { &f.mass_density, &f.number_density, &f.solid_fraction, &f.velocity,
    &f.granular_temperature, &f.angular_velocity, &f.kinetic_stress, &f.contact_stress,
    &f.coordination_number, &f.species_fraction, &f.temperature };
}

CellAverage::CellAverage(const Device& device)
  : device_(device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
  {
    engine_ = makeCudaCellAverage(device);
    return;
  }
#endif
  engine_ = makeCpuCellAverage(device);
}

CellAverage::~CellAverage() = default;
CellAverage::CellAverage(CellAverage&&) noexcept = default;
CellAverage& CellAverage::operator=(CellAverage&&) noexcept = default;

double CellAverage::bytes(double cells, int species)
{
  double numbers = 0;
  for (const AveragedField& field : cellAverageFields(species))
    numbers += field.components;
  return cells * (numbers * sizeof(double) + 2 * sizeof(std::uint32_t));
}

void CellAverage::require(const double size[3], const CellAverageOptions& options)
{
  char text[128];
  std::snprintf(text, sizeof text, "A grid of %.0f x %.0f x %.0f cells", size[0], size[1], size[2]);
  requireMemory(text, bytes(size[0] * size[1] * size[2], options.species), options.memory_limit,
    "Use larger cells, or raise the memory limit.");
  if (size[0] * size[1] * size[2] > 4e9)
    throw Error(std::string(text) + " has more than 4e9 cells. Use larger ones.");
}

void CellAverage::compute(const Grains& grains, const GrainContacts* contacts, const CellGrid& grid,
  const CellAverageOptions& options, const CellAverageFields& fields)
{
  static constexpr const char* kAxes[] = { "x", "y", "z" };
  double size[3];
  for (int k = 0; k < 3; ++k)
  {
    const auto& e = grid.edges[k];
    if (e.size() < 2)
      throw Error(std::string("The grid has no cells along ") + kAxes[k] +
        ": a plane holds no volume. Give it a thickness.");
    for (std::size_t i = 0; i + 1 < e.size(); ++i)
      if (!(e[i] < e[i + 1] && std::isfinite(e[i]) && std::isfinite(e[i + 1])))
        throw Error(std::string("The grid's planes along ") + kAxes[k] + " must ascend: " +
          std::to_string(e[i]) + " m is followed by " + std::to_string(e[i + 1]) + " m.");
    size[k] = static_cast<double>(e.size() - 1);
  }
  if (options.species < 1)
    throw Error(
      "There must be one species at least; " + std::to_string(options.species) + " were given.");
  if (!(options.density > 0 && std::isfinite(options.density)))
    throw Error(
      "The density is " + std::to_string(options.density) + " kg/m^3; it must be above 0.");
  require(size, options);
  if (grains.size > 0xfffffff0ull || (contacts && contacts->size > 0xfffffff0ull))
    throw Error("There are " + std::to_string(grains.size) + " grains and " +
      std::to_string(contacts ? contacts->size : 0) +
      " contacts; more than 2^32 - 16 cannot be averaged.");
  engine_->compute(grains, contacts, grid, options, fields);
}

} // namespace dem
