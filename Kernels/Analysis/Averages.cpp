#include "Analysis/Averages.h"

#include "Core/Error.h"

#include <limits>
#include <cmath>
#include <cstdio>

namespace dem
{
namespace
{

std::string bytesText(double bytes)
{
  static constexpr const char* kUnits[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
  int unit = 0;
  for (; bytes >= 1024 && unit < 6; bytes /= 1024)
    ++unit;
  char text[64];
  std::snprintf(text, sizeof text, "%.*f %s", unit ? 1 : 0, bytes, kUnits[unit]);
  return text;
}

bool finite3(const double* v)
{
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

std::string text3(const double* v)
{
  char text[96];
  std::snprintf(text, sizeof text, "(%g, %g, %g)", v[0], v[1], v[2]);
  return text;
}

} // namespace

void hideMissingTemperatures(
  const std::vector<AveragedField>& fields, std::vector<HostArray<double>>& values)
{
  for (std::size_t f = 0; f < fields.size(); ++f)
    for (std::size_t i = 0; fields[f].name == "Temperature" && i < values[f].size(); ++i)
      if (values[fields[f].weight][i] == 0)
        values[f][i] = std::numeric_limits<double>::quiet_NaN();
}

void requireMemory(const std::string& what, double bytes, double limit, const std::string& cure)
{
  if (!(bytes <= limit))
    throw Error(what + " would take " +
      (bytes < 1e30 ? bytesText(bytes) : "more than 2^32 entries") + " of memory; the limit is " +
      bytesText(limit) + ". " + cure);
}

void requireGrain(const Grains& g, std::size_t number, int species)
{
  const std::string name = "grain " + std::to_string(g.id[0]);
  if (!finite3(g.position))
    throw Error("The position of " + name + " is " + text3(g.position) +
      ", not a number. Remove it, for instance with Threshold.");
  if (!(g.radius[0] > 0 && std::isfinite(g.radius[0])))
    throw Error("The radius of " + name + " is " + std::to_string(g.radius[0]) +
      " m; it must be above 0 and finite.");
  if (g.mass && !(g.mass[0] >= 0 && std::isfinite(g.mass[0])))
    throw Error("The mass of " + name + " is " + std::to_string(g.mass[0]) +
      " kg; it must be 0 or more, and finite.");
  if (g.velocity && !finite3(g.velocity))
    throw Error("The velocity of " + name + " is " + text3(g.velocity) + " m/s, not a number.");
  if (g.angular_velocity && !finite3(g.angular_velocity))
    throw Error("The angular velocity of " + name + " is " + text3(g.angular_velocity) +
      " rad/s, not a number.");
  if (g.temperature && !std::isfinite(g.temperature[0]))
    throw Error("The temperature of " + name + " is " + std::to_string(g.temperature[0]) +
      " K, not a number.");
  if (species > 0 && g.material && (g.material[0] < 0 || g.material[0] >= species))
    throw Error("Grain number " + std::to_string(number) + " has material " +
      std::to_string(g.material[0]) + ", but there are " + std::to_string(species) +
      ", counted from 0.");
}

void requireContact(const GrainContacts& c, std::size_t number, std::size_t grains)
{
  const auto size = static_cast<std::int64_t>(grains);
  const std::string name = "Contact " + std::to_string(number),
                    of_name = "of contact " + std::to_string(number);
  if (c.first[0] < 0 || c.first[0] >= size || c.second[0] >= size)
    throw Error(name + " is between grains number " + std::to_string(c.first[0]) + " and " +
      std::to_string(c.second[0]) + ", but there are " + std::to_string(size) +
      ". Take contacts and particles from the same time of the same run.");
  if (!finite3(c.first_place) || !finite3(c.second_place))
    throw Error(name + " lies at " + text3(c.first_place) + " and " + text3(c.second_place) +
      ", which are no numbers.");
  if (c.normal_force && !finite3(c.normal_force))
    throw Error(
      "The normal force " + of_name + " is " + text3(c.normal_force) + " N, not a number.");
  if (c.tangential_force && !finite3(c.tangential_force))
    throw Error(
      "The tangential force " + of_name + " is " + text3(c.tangential_force) + " N, not a number.");
}

} // namespace dem
