#include "vtkSMDEMMaterials.h"

#include "vtkSMDEMRunProxy.h"

#include "vtkSMPropertyHelper.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMViewProxy.h"
#include "vtkWeakPointer.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

namespace
{

// The palette of M. Okabe and K. Ito, which colour-blind people can tell apart.
constexpr double MaterialColors[][3] = { { 0.90, 0.62, 0.00 }, { 0.34, 0.71, 0.91 },
  { 0.00, 0.62, 0.45 }, { 0.94, 0.89, 0.26 }, { 0.00, 0.45, 0.70 }, { 0.84, 0.37, 0.00 },
  { 0.80, 0.47, 0.65 }, { 0.55, 0.55, 0.55 } };

using Names = std::vector<std::string>;
using Runs = std::vector<vtkSMSourceProxy*>;

//------------------------------------------------------------------------------
vtkSMProxy* MapOfMaterials(vtkSMProxy* proxy)
{
  return proxy->GetSessionProxyManager()->GetProxy("lookup_tables", "Material.PVLookupTable");
}

//------------------------------------------------------------------------------
// Adds `proxy`, if it is a run, and the runs upstream that are not yet in `runs`.
void AddRuns(vtkSMProxy* proxy, Runs& runs)
{
  auto* run = vtkSMDEMRunProxy::SafeDownCast(proxy);
  if (run && std::find(runs.begin(), runs.end(), run) == runs.end())
  {
    runs.push_back(run);
  }
  for (unsigned int i = 0; proxy && i < proxy->GetNumberOfProducers(); ++i)
  {
    AddRuns(proxy->GetProducerProxy(i), runs);
  }
}

//------------------------------------------------------------------------------
bool IsInView(vtkSMProxy* representation)
{
  bool any = false;
  for (unsigned int i = 0; i < representation->GetNumberOfConsumers(); ++i)
  {
    any = any || vtkSMViewProxy::SafeDownCast(representation->GetConsumerProxy(i));
  }
  return any;
}

//------------------------------------------------------------------------------
// The runs that views show, directly or through filters, in the colours of the map.
Runs RunsColoured(vtkSMProxy* map)
{
  Runs runs;
  for (unsigned int i = 0; i < map->GetNumberOfConsumers(); ++i)
  {
    vtkSMProxy* consumer = map->GetConsumerProxy(i);
    consumer = consumer ? consumer->GetTrueParentProxy() : nullptr;
    if (consumer && consumer->GetProperty("LookupTable") && consumer->GetProperty("Input") &&
      vtkSMPropertyHelper(consumer, "LookupTable").GetAsProxy() == map &&
      vtkSMPropertyHelper(consumer, "Visibility", /*quiet=*/true).GetAsInt() != 0 &&
      IsInView(consumer))
    {
      AddRuns(vtkSMPropertyHelper(consumer, "Input").GetAsProxy(), runs);
    }
  }
  return runs;
}

//------------------------------------------------------------------------------
Names NamesOf(vtkSMSourceProxy* run)
{
  Names names;
  std::istringstream lines(
    vtkSMPropertyHelper(run, "MaterialsInUse", /*quiet=*/true).GetAsString());
  for (std::string name; std::getline(lines, name);)
  {
    names.push_back(name);
  }
  return names;
}

//------------------------------------------------------------------------------
// The names that this file has given the materials in the map.
Names& NamesGiven(vtkSMProxy* map)
{
  static std::vector<std::pair<vtkWeakPointer<vtkSMProxy>, Names>> given;
  given.erase(std::remove_if(given.begin(), given.end(),
                [](const auto& entry) { return entry.first == nullptr; }),
    given.end());
  for (auto& entry : given)
  {
    if (entry.first == map)
    {
      return entry.second;
    }
  }
  given.emplace_back(map, Names());
  return given.back().second;
}

//------------------------------------------------------------------------------
// Annotates the map with the names of `run` and with those of the further materials of `others`.
// Removes names of materials that none of them has. Texts of the user stay as long as the name of
// their material does.
void NameMaterials(vtkSMProxy* map, vtkSMSourceProxy* run, const Runs& others)
{
  Names wanted = NamesOf(run);
  for (vtkSMSourceProxy* other : others)
  {
    const Names more = NamesOf(other);
    for (std::size_t i = wanted.size(); i < more.size(); ++i)
    {
      wanted.push_back(more[i]);
    }
  }
  if (wanted.empty())
  {
    return; // not yet updated
  }
  Names& given = NamesGiven(map);
  vtkSMPropertyHelper annotations(map, "Annotations");
  Names texts; // alternating values and texts
  for (unsigned int i = 0; i + 1 < annotations.GetNumberOfElements(); i += 2)
  {
    const std::string value = annotations.GetAsString(i), text = annotations.GetAsString(i + 1);
    bool stale = false;
    for (std::size_t k = wanted.size(); k < given.size(); ++k)
    {
      stale = stale || (value == std::to_string(k) && text == given[k]);
    }
    if (!stale)
    {
      texts.push_back(value);
      texts.push_back(text);
    }
  }
  for (std::size_t material = 0; material < wanted.size(); ++material)
  {
    const std::string value = std::to_string(material);
    std::size_t i = 0;
    while (i < texts.size() && texts[i] != value)
    {
      i += 2;
    }
    if (i == texts.size())
    {
      texts.push_back(value);
      texts.push_back(wanted[material]);
    }
    else if (material >= given.size() || given[material] != wanted[material])
    {
      texts[i + 1] = wanted[material];
    }
  }
  given = wanted;
  Names before;
  for (unsigned int i = 0; i < annotations.GetNumberOfElements(); ++i)
  {
    before.emplace_back(annotations.GetAsString(i));
  }
  if (texts == before)
  {
    return;
  }
  annotations.SetNumberOfElements(static_cast<unsigned int>(texts.size()));
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

} // namespace

//------------------------------------------------------------------------------
void vtkSMDEMMaterials::FillLists()
{
  const unsigned int size = this->Run->GetProperty("MaterialName")
    ? vtkSMPropertyHelper(this->Run, "MaterialName").GetNumberOfElements()
    : 0;
  bool changed = false;
  for (const char* name :
    { "YoungsModulus", "PoissonsRatio", "Density", "Restitution", "Friction", "RollingFriction",
      "SurfaceEnergy", "HeatCapacity", "ThermalConductivity", "TrueYoungsModulus" })
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
  vtkSMProxy* map = MapOfMaterials(this->Run);
  if (inUse.empty() || inUse == this->Named || !map)
  {
    return;
  }
  this->Named = inUse;
  const Runs shown = RunsColoured(map);
  if (shown.empty() || std::find(shown.begin(), shown.end(), this->Run) != shown.end())
  {
    NameMaterials(map, this->Run, shown);
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMMaterials::NameShown(vtkSMProxy* representation)
{
  vtkSMProxy* map = MapOfMaterials(representation);
  const Runs shown = map ? RunsColoured(map) : Runs();
  Runs changed;
  AddRuns(vtkSMPropertyHelper(representation, "Input", /*quiet=*/true).GetAsProxy(), changed);
  if (shown.empty() || changed.empty())
  {
    return;
  }
  const bool isShown = std::find(shown.begin(), shown.end(), changed.front()) != shown.end();
  NameMaterials(map, isShown ? changed.front() : shown.front(), shown);
}
