#include "vtkDEMGrainNames.h"

#include "vtkDataArray.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkNew.h"
#include "vtkPointData.h"

#include <algorithm>
#include <vector>

namespace vtkDEMGrainNames
{

const Names Radius = { "Radius", "radii", "r", "particle_radius", "rad" };
const Names Diameter = { "Diameter", "diameters", "d", "diam", "particle_diameter" };
const Names Id = { "Id", "ids", "ParticleId", "particle_id", "GlobalIds", "GlobalPointIds" };
const Names Mass = { "Mass", "m" };
const Names Density = { "Density", "rho" };
const Names Velocity = { "Velocity", "v", "vel", "linVel", "linVelVec", "velocities" };
const Names AngularVelocity = { "AngularVelocity", "omega", "angVel", "angVelVec",
  "angular_velocity" };
const Names Material = { "Material", "type", "materialId", "speciesType", "species" };

//------------------------------------------------------------------------------
std::string Lower(std::string text)
{
  for (char& c : text)
  {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

//------------------------------------------------------------------------------
std::string Listed(vtkFieldData* data)
{
  std::string text;
  for (int i = 0; i < data->GetNumberOfArrays(); ++i)
  {
    const char* name = data->GetArrayName(i);
    text += (text.empty() ? "" : ", ") + std::string(name ? name : "(unnamed)");
  }
  return text.empty() ? "none" : text;
}

//------------------------------------------------------------------------------
vtkDataArray* Find(vtkFieldData* data, const Names& names, int components)
{
  for (const char* name : names)
  {
    for (const bool exact : { true, false })
    {
      for (int i = 0; i < data->GetNumberOfArrays(); ++i)
      {
        vtkDataArray* array = data->GetArray(i);
        const char* own = array ? array->GetName() : nullptr;
        if (own && array->GetNumberOfComponents() == components &&
          (exact ? std::string(own) == name : Lower(own) == Lower(name)))
        {
          return array;
        }
      }
    }
  }
  return nullptr;
}

//------------------------------------------------------------------------------
bool IsDiameter(const std::string& name)
{
  return std::any_of(Diameter.begin(), Diameter.end(),
    [&](const char* known) { return Lower(known) == Lower(name); });
}

//------------------------------------------------------------------------------
vtkDataArray* FindRadius(vtkPointData* data, double& scale)
{
  scale = 1;
  if (vtkDataArray* array = Find(data, Radius, 1))
  {
    return array;
  }
  scale = 0.5;
  return Find(data, Diameter, 1);
}

namespace
{

//------------------------------------------------------------------------------
vtkSmartPointer<vtkDataArray> FindVectors(
  vtkPointData* data, const Names& vectors, const std::vector<Names>& components)
{
  if (vtkDataArray* array = Find(data, vectors, 3))
  {
    return array;
  }
  for (const Names& names : components)
  {
    vtkDataArray* of[3];
    int found = 0;
    for (const char* name : names)
    {
      of[found] = Find(data, { name }, 1);
      if (!of[found])
      {
        break;
      }
      ++found;
    }
    if (found < 3)
    {
      continue;
    }
    vtkNew<vtkDoubleArray> joined;
    joined->SetName(*vectors.begin());
    joined->SetNumberOfComponents(3);
    joined->SetNumberOfTuples(of[0]->GetNumberOfTuples());
    for (int k = 0; k < 3; ++k)
    {
      joined->CopyComponent(k, of[k], 0);
    }
    return vtkSmartPointer<vtkDataArray>(joined.Get());
  }
  return nullptr;
}

} // namespace

//------------------------------------------------------------------------------
vtkSmartPointer<vtkDataArray> FindVelocity(vtkPointData* data)
{
  return FindVectors(data, Velocity, { { "vx", "vy", "vz" } });
}

//------------------------------------------------------------------------------
vtkSmartPointer<vtkDataArray> FindAngularVelocity(vtkPointData* data)
{
  return FindVectors(
    data, AngularVelocity, { { "omegax", "omegay", "omegaz" }, { "wx", "wy", "wz" } });
}

} // namespace vtkDEMGrainNames
