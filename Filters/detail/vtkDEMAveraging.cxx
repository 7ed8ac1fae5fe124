#include "vtkDEMAveraging.h"

#include "Bridge/vtkDEMArrays.h"

#include "vtkFieldData.h"
#include "vtkIntArray.h"
#include "vtkNew.h"

#include <algorithm>
#include <cstdio>
#include <limits>

//------------------------------------------------------------------------------
void vtkDEMAveragedArrays::Allocate(const std::vector<dem::AveragedField>& fields,
  std::size_t places, bool inTime, const dem::Device& device)
{
  this->Fields = fields;
  this->Places = places;
  this->Values.clear();
  for (const auto& field : fields)
  {
    this->Values.emplace_back(
      places * static_cast<std::size_t>(field.components), device.kind == dem::DeviceKind::CUDA);
  }
  this->InTime = inTime ? std::make_unique<dem::TimeAverage>(fields, places, device) : nullptr;
}

//------------------------------------------------------------------------------
double* vtkDEMAveragedArrays::GetPointer(std::size_t field)
{
  return this->InTime ? this->InTime->next(field) : this->Values[field].data();
}

//------------------------------------------------------------------------------
dem::MemoryPlace vtkDEMAveragedArrays::GetMemory() const
{
  return this->InTime ? this->InTime->memory() : dem::kHostMemory;
}

//------------------------------------------------------------------------------
void vtkDEMAveragedArrays::AddOutput(
  const dem::Grains& grains, const dem::GrainContacts* contacts, bool continuum)
{
  const bool forces = !contacts || contacts->size == 0 || contacts->normal_force;
  const bool moves = grains.size == 0 || grains.velocity;
  const bool warm = grains.size == 0 || grains.temperature;
  const bool spins = grains.size == 0 || grains.angular_velocity;
  for (std::size_t f = 0; f < this->Fields.size(); ++f)
  {
    const std::string& name = this->Fields[f].name;
    const bool known = name == "ContactStress" || name == "WallForceDensity" ? forces
      : name == "AngularVelocity"                                            ? spins
      : name == "Temperature"                                                ? warm
      : name == "CoordinationNumber"                                         ? !continuum
      : name == "Velocity" || name == "MomentumDensity" || name == "GranularTemperature" ||
        name == "KineticStress"
      ? moves
      : true;
    if (!known)
    {
      const double unknown = std::numeric_limits<double>::quiet_NaN();
      if (this->InTime)
      {
        this->InTime->fill(f, unknown);
      }
      else
      {
        std::fill_n(this->Values[f].data(), this->Values[f].size(), unknown);
      }
    }
  }
  if (this->InTime)
  {
    this->InTime->add();
  }
}

//------------------------------------------------------------------------------
void vtkDEMAveragedArrays::Finish(vtkFieldData* data, const std::vector<std::string>& speciesNames)
{
  std::vector<vtkSmartPointer<vtkDoubleArray>> errors(this->Fields.size());
  for (std::size_t f = 0; this->InTime && f < this->Fields.size(); ++f)
  {
    errors[f] = vtkSmartPointer<vtkDoubleArray>::New();
    errors[f]->SetName((this->Fields[f].name + "StandardError").c_str());
    errors[f]->SetNumberOfComponents(this->Fields[f].components);
    errors[f]->SetNumberOfTuples(static_cast<vtkIdType>(this->Places));
    this->InTime->finish(f, this->Values[f].data(), errors[f]->GetPointer(0));
  }
  dem::hideMissingTemperatures(this->Fields, this->Values);
  for (std::size_t f = 0; f < this->Fields.size(); ++f)
  {
    const auto values = vtkDEMArrays::Share<vtkDoubleArray>(
      this->Values[f], this->Fields[f].name.c_str(), this->Fields[f].components);
    for (vtkDoubleArray* array : { values.Get(), errors[f].Get() })
    {
      if (!array)
      {
        continue;
      }
      if (this->Fields[f].components == 6)
      {
        constexpr const char* names[6] = { "XX", "YY", "ZZ", "XY", "YZ", "XZ" };
        for (int i = 0; i < 6; ++i)
        {
          array->SetComponentName(i, names[i]);
        }
      }
      else if (this->Fields[f].name == "SpeciesFraction")
      {
        for (std::size_t i = 0; i < speciesNames.size(); ++i)
        {
          array->SetComponentName(static_cast<vtkIdType>(i), speciesNames[i].c_str());
        }
      }
      data->AddArray(array);
    }
  }
  if (this->InTime)
  {
    vtkNew<vtkIntArray> count;
    count->SetName("Count");
    count->SetNumberOfTuples(static_cast<vtkIdType>(this->Places));
    std::size_t weighed = 0;
    while (this->Fields[weighed].weight < 0)
    {
      ++weighed;
    }
    this->InTime->counts(weighed, count->GetPointer(0));
    data->AddArray(count);
  }
}

//------------------------------------------------------------------------------
std::string vtkDEMNumber(double value)
{
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}
