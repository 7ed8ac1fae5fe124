#include "vtkSMDEMFieldsInitializationHelper.h"

#include "vtkDataObject.h"
#include "vtkObjectFactory.h"
#include "vtkPVDataInformation.h"
#include "vtkPVXMLElement.h"
#include "vtkSMPVRepresentationProxy.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSourceProxy.h"
#include "vtkSMStringVectorProperty.h"

#include <iterator>
#include <set>
#include <sstream>
#include <string>

namespace
{

//------------------------------------------------------------------------------
// Sets a property of pairs of name and value, for all names of its domain.
template <class ValueOf>
void SetPairs(vtkSMProxy* proxy, const char* name, ValueOf&& valueOf)
{
  auto* pairs = vtkSMStringVectorProperty::SafeDownCast(proxy->GetProperty(name));
  if (!pairs)
  {
    return;
  }
  pairs->ResetToDomainDefaults();
  for (unsigned int i = 0; i + 1 < pairs->GetNumberOfElements(); i += 2)
  {
    pairs->SetElement(i + 1, valueOf(std::string(pairs->GetElement(i))).c_str());
  }
}

//------------------------------------------------------------------------------
void ChooseSeries(vtkSMProxy* chart, vtkPVXMLElement* hint)
{
  std::istringstream words(hint->GetAttributeOrEmpty("series"));
  const std::set<std::string> shown{ std::istream_iterator<std::string>(words),
    std::istream_iterator<std::string>() };
  chart->GetProperty("AttributeType")->ResetToDomainDefaults(); // rows
  vtkSMPropertyHelper(chart, "UseIndexForXAxis").Set(0);
  vtkSMPropertyHelper(chart, "XArrayName").Set(hint->GetAttributeOrEmpty("x"));
  SetPairs(chart, "SeriesVisibility",
    [&](const std::string& name) { return std::string(shown.count(name) ? "1" : "0"); });
  // Markers, since only times that were shown have values; lines between them are no data.
  const std::string circle = "4";
  SetPairs(chart, "SeriesMarkerStyle", [&](const std::string&) { return circle; });
  const std::string unit = hint->GetAttributeOrEmpty("unit");
  SetPairs(chart, "SeriesLabel",
    [&](const std::string& name) { return shown.count(name) ? name + " (" + unit + ")" : name; });
  chart->UpdateVTKObjects();
}

} // namespace

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkSMDEMFieldsInitializationHelper);

//------------------------------------------------------------------------------
vtkSMDEMFieldsInitializationHelper::vtkSMDEMFieldsInitializationHelper() = default;

//------------------------------------------------------------------------------
vtkSMDEMFieldsInitializationHelper::~vtkSMDEMFieldsInitializationHelper() = default;

//------------------------------------------------------------------------------
void vtkSMDEMFieldsInitializationHelper::PostInitializeProxy(vtkSMProxy* proxy,
  vtkPVXMLElement* vtkNotUsed(xml), vtkMTimeType vtkNotUsed(initializationTimeStamp))
{
  vtkSMPropertyHelper input(proxy, "Input", /*quiet=*/true);
  auto* source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  vtkPVXMLElement* hints = source ? source->GetHints() : nullptr;
  if (!hints)
  {
    return;
  }
  const int port = static_cast<int>(input.GetOutputPort());
  for (unsigned int i = 0; i < hints->GetNumberOfNestedElements(); ++i)
  {
    vtkPVXMLElement* hint = hints->GetNestedElement(i);
    const std::string name = hint->GetName();
    int ofPort = 0;
    if (!hint->GetScalarAttribute("port", &ofPort) || ofPort != port)
    {
      continue;
    }
    if (name == "DEMSeries" && proxy->GetProperty("SeriesVisibility"))
    {
      ChooseSeries(proxy, hint);
      return;
    }
    if (name != "DEMFields" || !proxy->GetProperty("Representation") ||
      !source->GetDataInformation(static_cast<unsigned int>(port))->DataSetTypeIsA("vtkImageData"))
    {
      continue;
    }
    const char* array = hint->GetAttributeOrEmpty("array");
    const std::string attribute = hint->GetAttributeOrDefault("attribute", "cell");
    if (auto* representation = vtkSMPVRepresentationProxy::SafeDownCast(proxy))
    {
      representation->SetScalarColoring(
        array, attribute == "point" ? vtkDataObject::POINT : vtkDataObject::CELL);
    }
    vtkSMPropertyHelper(proxy, "Representation").Set("DEM Slices");
    proxy->UpdateVTKObjects();
    return;
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMFieldsInitializationHelper::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
