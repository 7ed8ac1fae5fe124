#include "MaterialPoint/MpmScene.h"

#include "MaterialPoint/detail/SceneText.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace mpm
{

std::array<int, 3> gridCells(const Scene& s)
{
  std::array<int, 3> cells{};
  double blocks = 1;
  for (int k = 0; k < 3; ++k)
  {
    const double n =
      std::ceil((s.domain.upper[k] - s.domain.lower[k]) / s.grid_spacing * (1 - 1e-12));
    require(n < 1e8,
      "GridSpacing " + text(s.grid_spacing) + " m makes " + text(n) + " cells along " + "xyz"[k] +
        ": the grid is too large for the device. Use a larger spacing or a smaller domain.");
    cells[k] = std::max(1, static_cast<int>(n));
    blocks *= cells[k] / 4 + 2;
  }
  // bins are numbered with 32 bits, 64 of them a block
  require(blocks < (1u << 26) - 1,
    "GridSpacing " + text(s.grid_spacing) + " m makes a grid of " + std::to_string(cells[0]) +
      " x " + std::to_string(cells[1]) + " x " + std::to_string(cells[2]) +
      " cells, too large for the device: at most 4.2e9 are possible. Use a larger spacing or a "
      "smaller domain.");
  return cells;
}

const char* name(MaterialKind k)
{
  switch (k)
  {
    case MaterialKind::Corotated:
      return "Corotated";
    case MaterialKind::FixedCorotated:
      return "Fixed Corotated";
    case MaterialKind::NeoHookean:
      return "Neo-Hookean";
    case MaterialKind::DruckerPrager:
      return "Drucker-Prager";
    case MaterialKind::VonMises:
      return "von Mises";
    case MaterialKind::Fluid:
      return "Fluid";
  }
  return "";
}
const char* name(SandYield k)
{
  return k == SandYield::MohrCoulomb
    ? "Mohr-Coulomb"
    : (k == SandYield::PlaneStrainCone ? "Plane Strain Cone" : "Compression Cone");
}
const char* name(Contact k)
{
  return k == Contact::Stick ? "Stick" : (k == Contact::Slip ? "Slip" : "Separate");
}
const char* name(Border k)
{
  return k == Border::Stick
    ? "Stick"
    : (k == Border::Slip ? "Slip" : (k == Border::Separate ? "Separate" : "Remove"));
}
const char* name(Transfer k)
{
  return k == Transfer::APIC ? "APIC" : (k == Transfer::PIC ? "PIC" : "FLIP");
}
const char* name(Spline k) { return k == Spline::Quadratic ? "Quadratic" : "Cubic"; }
const char* name(TimeIntegration k)
{
  return k == TimeIntegration::Explicit ? "Explicit" : "Implicit Midpoint";
}

} // namespace mpm
