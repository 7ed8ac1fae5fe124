#include "MaterialPoint/detail/SceneText.h"

#include "Core/Error.h"

#include <cmath>
#include <cstdio>

namespace mpm
{

using dem::Vec3d;

std::string text(double x)
{
  char t[40];
  std::snprintf(t, sizeof t, "%.6g", x);
  return t;
}
std::string text(const Vec3d& p)
{
  return "(" + text(p.x) + ", " + text(p.y) + ", " + text(p.z) + ")";
}
bool finite(const Vec3d& p)
{
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}
void require(bool good, const std::string& what)
{
  if (!good)
    throw dem::Error(what);
}

} // namespace mpm
