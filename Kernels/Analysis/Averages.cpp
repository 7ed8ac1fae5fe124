#include "Analysis/Averages.h"

#include "Core/Error.h"

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

std::string nameOf(const Grains& grains, std::size_t i)
{
  return "grain " + std::to_string(grains.id ? grains.id[i] : static_cast<std::int64_t>(i));
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

void requireMemory(const std::string& what, double bytes, double limit, const std::string& cure)
{
  if (!(bytes <= limit))
    throw Error(what + " would take " + (bytes < 1e30 ? bytesText(bytes) : "more than 2^32 entries") + " of memory; the limit is " +
      bytesText(limit) + ". " + cure);
}

void checkGrains(const Grains& g)
{
  if (g.size > 0xfffffff0ull)
    throw Error("There are " + std::to_string(g.size) + " grains; more than 2^32 - 16 cannot be averaged.");
  for (std::size_t i = 0; i < g.size; ++i)
  {
    if (!finite3(g.position + 3 * i))
      throw Error("The position of " + nameOf(g, i) + " is " + text3(g.position + 3 * i) + ", not a number. Remove it, for instance with Threshold.");
    if (!(g.radius[i] > 0 && std::isfinite(g.radius[i])))
      throw Error("The radius of " + nameOf(g, i) + " is " + std::to_string(g.radius[i]) + " m; it must be above 0 and finite.");
    if (g.mass && !(g.mass[i] >= 0 && std::isfinite(g.mass[i])))
      throw Error("The mass of " + nameOf(g, i) + " is " + std::to_string(g.mass[i]) + " kg; it must be 0 or more, and finite.");
    if (g.velocity && !finite3(g.velocity + 3 * i))
      throw Error("The velocity of " + nameOf(g, i) + " is " + text3(g.velocity + 3 * i) + " m/s, not a number.");
    if (g.angular_velocity && !finite3(g.angular_velocity + 3 * i))
      throw Error("The angular velocity of " + nameOf(g, i) + " is " + text3(g.angular_velocity + 3 * i) + " rad/s, not a number.");
  }
}

void checkContacts(const Grains& g, const GrainContacts& c)
{
  if (c.size > 0xfffffff0ull)
    throw Error("There are " + std::to_string(c.size) + " contacts; more than 2^32 - 16 cannot be averaged.");
  const auto size = static_cast<std::int64_t>(g.size);
  for (std::size_t i = 0; i < c.size; ++i)
  {
    if (c.first[i] < 0 || c.first[i] >= size || c.second[i] >= size)
      throw Error("Contact " + std::to_string(i) + " is one of grains number " + std::to_string(c.first[i]) + " and " + std::to_string(c.second[i]) + ", but there are " +
        std::to_string(size) + ". Take contacts and particles from the same time of the same run.");
    if (!finite3(c.first_place + 3 * i) || !finite3(c.second_place + 3 * i))
      throw Error("Contact " + std::to_string(i) + " lies at " + text3(c.first_place + 3 * i) + " and " + text3(c.second_place + 3 * i) + ", which are no numbers.");
    if (c.normal_force && !finite3(c.normal_force + 3 * i))
      throw Error("The normal force of contact " + std::to_string(i) + " is " + text3(c.normal_force + 3 * i) + " N, not a number.");
    if (c.tangential_force && !finite3(c.tangential_force + 3 * i))
      throw Error("The tangential force of contact " + std::to_string(i) + " is " + text3(c.tangential_force + 3 * i) + " N, not a number.");
  }
}

} // namespace dem
