#include "vtkSMDEMMaterials.h"

#include "vtkSMPropertyHelper.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMSourceProxy.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <vector>

namespace
{

// The palette of M. Okabe and K. Ito, which colour-blind people can tell apart.
constexpr double MaterialColors[][3] = { { 0.90, 0.62, 0.00 }, { 0.34, 0.71, 0.91 },
  { 0.00, 0.62, 0.45 }, { 0.94, 0.89, 0.26 }, { 0.00, 0.45, 0.70 }, { 0.84, 0.37, 0.00 },
  { 0.80, 0.47, 0.65 }, { 0.55, 0.55, 0.55 } };

} // namespace

//------------------------------------------------------------------------------
void vtkSMDEMMaterials::FillLists()
{
  const unsigned int size = this->Run->GetProperty("MaterialName")
    ? vtkSMPropertyHelper(this->Run, "MaterialName").GetNumberOfElements()
    : 0;
  bool changed = false;
  for (const char* name : { "YoungsModulus", "PoissonsRatio", "Density", "Restitution", "Friction",
         "RollingFriction", "SurfaceEnergy" })
  {
    const std::string list = std::string("Material") + name;
    if (size > 0 && vtkSMPropertyHelper(this->Run, list.c_str()).GetNumberOfElements() == 0)
    {
      const std::vector<double> values(size, vtkSMPropertyHelper(this->Run, name).GetAsDouble());
      vtkSMPropertyHelper(this->Run, list.c_str()).Set(values.data(), size);
      changed = true;
    }
  }
  if (changed)
  {
    this->Run->UpdateVTKObjects();
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMMaterials::NameInColorMap()
{
  const std::string inUse =
    vtkSMPropertyHelper(this->Run, "MaterialsInUse", /*quiet=*/true).GetAsString();
  vtkSMProxy* map =
    this->Run->GetSessionProxyManager()->GetProxy("lookup_tables", "Material.PVLookupTable");
  if (inUse.empty() || inUse == this->Named || !map)
  {
    return;
  }
  this->Named = inUse;
  // Alternating values and texts. Another simulation may have named further materials.
  vtkSMPropertyHelper annotations(map, "Annotations");
  std::vector<std::string> texts;
  for (unsigned int i = 0; i < annotations.GetNumberOfElements(); ++i)
  {
    texts.emplace_back(annotations.GetAsString(i));
  }
  std::istringstream lines(inUse);
  std::string name;
  for (int material = 0; std::getline(lines, name); ++material)
  {
    const std::string value = std::to_string(material);
    std::size_t i = 0;
    while (i + 1 < texts.size() && texts[i] != value)
    {
      i += 2;
    }
    texts.resize(std::max(texts.size(), i + 2));
    texts[i] = value;
    texts[i + 1] = name;
  }
  for (unsigned int i = 0; i < texts.size(); ++i)
  {
    annotations.Set(i, texts[i].c_str());
  }
  vtkSMPropertyHelper colors(map, "IndexedColors");
  for (unsigned int i = colors.GetNumberOfElements(); i < texts.size() / 2 * 3; ++i)
  {
    colors.Set(i, MaterialColors[i / 3 % std::size(MaterialColors)][i % 3]);
  }
  map->UpdateVTKObjects();
}
