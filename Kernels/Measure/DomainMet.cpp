// Finds grains at the borders of an automatic domain and writes the warning.
#include "Measure/DomainMet.h"

#include "Scene/AutomaticDomain.h"
#include "Core/Text.h"

#include <cmath>

namespace dem
{
namespace
{

// Returns ", grain 7 through the lower border in z" for the first grain that left; empty if the
// frame lists none.
std::string firstExit(const Domain& domain, const Frame& frame)
{
  for (int k = 0; k < 3 && frame.exited_position.size() >= 3 && frame.exited_id.size() > 0; ++k)
  {
    const auto axis = static_cast<std::size_t>(k);
    const double x = frame.exited_position[axis];
    if (domain.exit[axis] == Exit::Remove && (x < domain.lower[k] || x > domain.upper[k]))
      return ", grain " + std::to_string(frame.exited_id[0]) + " through the " +
        (x < domain.lower[k] ? "lower" : "upper") + " border in " + "xyz"[k];
  }
  return {};
}

} // namespace

DomainMet automaticDomainMet(const Scene& scene, const Frame& frame)
{
  const Domain& domain = scene.domain;
  if (!domain.limited || !domain.automatic)
    return {};
  const std::string cure = "To give grains more room, switch Automatic Domain off and set Domain.";
  if (frame.statistics.lost > 0)
    return { cure + " " + std::to_string(frame.statistics.lost) +
        (frame.statistics.lost == 1 ? " grain has" : " grains have") +
        " left the automatic domain (" + domainText(domain) + ") by t = " + number(frame.time, 4) +
        " s" + firstExit(domain, frame) + ".",
      -1 };
  // axis of gravity, whose two borders are floor and top
  const Vec3d& g = scene.gravity;
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    axis = std::fabs(g[k]) > std::fabs(g[axis]) ? k : axis;
  for (std::size_t i = 0; i < frame.size; ++i)
    for (int k = 0; k < 3; ++k)
      for (int side = 0; side < 2 && domain.exit[static_cast<std::size_t>(k)] == Exit::Wall; ++side)
      {
        const double out = side ? 1 : -1;
        const bool is_top = k == axis && out * g[k] < 0;
        if (length(g) > 0 && !is_top)
          continue; // grains may rest there
        const double border = side ? domain.upper[k] : domain.lower[k];
        if (out * (border - frame.position[3 * i + static_cast<std::size_t>(k)]) <= frame.radius[i])
          return { cure + " Grain " + std::to_string(frame.id[i]) + " touches the " +
              (side ? "upper" : "lower") + " border in " + "xyz"[k] +
              ", which acts as a wall, at t = " + number(frame.time, 4) +
              " s; the automatic domain is " + domainText(domain) + ".",
            frame.id[i] };
      }
  return {};
}

} // namespace dem
