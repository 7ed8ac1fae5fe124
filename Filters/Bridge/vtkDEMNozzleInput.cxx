#include "vtkDEMNozzleInput.h"

#include "Bridge/vtkDEMArrays.h"
#include "Core/Error.h"

#include "vtkDataObject.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkStringArray.h"

#include <algorithm>

namespace
{

constexpr const char* NameArray = "NozzleName";
constexpr const char* MovesWithArray = "NozzleMovesWith";
constexpr const char* SprayArray = "NozzleSpray";
constexpr int SpraySize = 18;
constexpr const char* SprayComponents[SpraySize] = { "PositionX", "PositionY", "PositionZ", "AxisX",
  "AxisY", "AxisZ", "UpX", "UpY", "UpZ", "FullAngle", "AcrossAngle", "Profile", "MassRate", "Rays",
  "Interval", "Start", "Stop", "Seed" };

//------------------------------------------------------------------------------
void AddText(vtkFieldData* fieldData, const char* name, const std::string& text)
{
  vtkNew<vtkStringArray> array;
  array->SetName(name);
  array->InsertNextValue(text);
  fieldData->AddArray(array);
}

//------------------------------------------------------------------------------
std::string ReadText(vtkFieldData* fieldData, const char* name)
{
  auto* array = vtkStringArray::SafeDownCast(fieldData->GetAbstractArray(name));
  return array && array->GetNumberOfValues() > 0 ? std::string(array->GetValue(0)) : std::string();
}

//------------------------------------------------------------------------------
dem::Nozzle ReadOne(vtkFieldData* fieldData, std::size_t index, const std::string& what)
{
  vtkDataArray* array = fieldData ? fieldData->GetArray(SprayArray) : nullptr;
  if (!array || array->GetNumberOfTuples() < 1 || array->GetNumberOfComponents() != SpraySize)
  {
    throw dem::Error(what + " is no nozzle: it has no field data array \"" + SprayArray +
      "\" as DEM Nozzle writes it. Choose a DEM Nozzle, or several through Group Datasets.");
  }
  double v[SpraySize];
  array->GetTuple(0, v);
  dem::Nozzle nozzle;
  nozzle.name = ReadText(fieldData, NameArray);
  if (nozzle.name.empty())
  {
    nozzle.name = "Nozzle " + std::to_string(index);
  }
  nozzle.position = { v[0], v[1], v[2] };
  nozzle.axis = { v[3], v[4], v[5] };
  nozzle.up = { v[6], v[7], v[8] };
  nozzle.full_angle = v[9];
  nozzle.across_angle = v[10];
  nozzle.profile = v[11] > 0.5 ? dem::SprayProfile::Gaussian : dem::SprayProfile::Uniform;
  nozzle.mass_rate = v[12];
  nozzle.rays = static_cast<int>(std::max(-1e9, std::min(2e9, v[13])));
  nozzle.interval = v[14];
  nozzle.start = v[15];
  nozzle.stop = v[16];
  nozzle.seed = static_cast<int>(std::max(-1e9, std::min(2e9, v[17])));
  nozzle.moves_with = ReadText(fieldData, MovesWithArray);
  return nozzle;
}

} // namespace

namespace vtkDEMNozzleInput
{

//------------------------------------------------------------------------------
void Write(const dem::Nozzle& n, vtkFieldData* fieldData)
{
  const double values[SpraySize] = { n.position.x, n.position.y, n.position.z, n.axis.x, n.axis.y,
    n.axis.z, n.up.x, n.up.y, n.up.z, n.full_angle, n.across_angle,
    n.profile == dem::SprayProfile::Gaussian ? 1. : 0., n.mass_rate, static_cast<double>(n.rays),
    n.interval, n.start, n.stop, static_cast<double>(n.seed) };
  vtkNew<vtkDoubleArray> array;
  array->SetName(SprayArray);
  array->SetNumberOfComponents(SpraySize);
  for (int i = 0; i < SpraySize; ++i)
  {
    array->SetComponentName(i, SprayComponents[i]);
  }
  array->InsertNextTuple(values);
  fieldData->AddArray(array);
  AddText(fieldData, NameArray, n.name);
  AddText(fieldData, MovesWithArray, n.moves_with);
}

//------------------------------------------------------------------------------
std::vector<dem::Nozzle> Read(vtkInformationVector* inputs, const std::vector<std::string>& names,
  vtkMultiProcessController* controller)
{
  std::vector<dem::Nozzle> nozzles;
  std::string error;
  for (int i = 0; i < inputs->GetNumberOfInformationObjects(); ++i)
  {
    for (const vtkDEMArrays::Block& block :
      vtkDEMArrays::ReadBlocks(inputs, i, names[static_cast<std::size_t>(i)], controller))
    {
      const bool root = !controller || controller->GetLocalProcessId() == 0;
      vtkDataObject* data = block.Data;
      if (!data || (!root && !data->GetFieldData()->GetArray(SprayArray)))
      {
        continue; // rank 0 has all nozzles, and reports those that are none
      }
      try
      {
        nozzles.push_back(ReadOne(data->GetFieldData(), nozzles.size(), block.What));
      }
      catch (const dem::Error& e)
      {
        error = error.empty() ? e.what() : error;
      }
    }
  }
  if (!error.empty())
  {
    throw dem::Error(error);
  }
  return nozzles;
}

} // namespace vtkDEMNozzleInput
