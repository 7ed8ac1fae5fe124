#include "vtkDEMWall.h"

#include "Bridge/vtkDEMWallInput.h"
#include "Scene/Scene.h"

#include "vtkCellData.h"
#include "vtkDataSet.h"
#include "vtkFieldData.h"
#include "vtkGeometryFilter.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMath.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMWall);

//------------------------------------------------------------------------------
vtkDEMWall::vtkDEMWall() = default;

//------------------------------------------------------------------------------
vtkDEMWall::~vtkDEMWall() = default;

//------------------------------------------------------------------------------
void vtkDEMWall::SetWallName(const char* name)
{
  const std::string wanted = name ? name : "";
  if (this->WallName != wanted)
  {
    this->WallName = wanted;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMWall::GetWallName() const { return this->WallName.c_str(); }

//------------------------------------------------------------------------------
int vtkDEMWall::FillInputPortInformation(int vtkNotUsed(port), vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMWall::RequestData(vtkInformation* vtkNotUsed(request), vtkInformationVector** inputVector,
  vtkInformationVector* outputVector)
{
  vtkDataSet* input = vtkDataSet::GetData(inputVector[0], 0);
  vtkPolyData* output = vtkPolyData::GetData(outputVector, 0);
  if (!input || !output)
  {
    vtkErrorMacro(<< "The wall has no input.");
    return 0;
  }
  if (auto* surface = vtkPolyData::SafeDownCast(input))
  {
    output->ShallowCopy(surface);
  }
  else
  {
    vtkNew<vtkGeometryFilter> filter;
    filter->SetInputData(input);
    filter->Update();
    output->ShallowCopy(filter->GetOutput());
    output->GetFieldData()->PassData(input->GetFieldData());
  }

  // The solid numbers of the STL reader are removed: ParaView would colour the wall by them, with a
  // legend.
  output->GetCellData()->RemoveArray("STLSolidLabeling");
  vtkDEMWallInput::WriteName(this->WallName, output->GetFieldData());
  output->GetFieldData()->RemoveArray("WallMaterial");
  if (this->OwnMaterial)
  {
    dem::Material material;
    material.youngs_modulus = this->YoungsModulus;
    material.poissons_ratio = this->PoissonsRatio;
    material.restitution = this->Restitution;
    material.friction = this->Friction;
    material.rolling_friction = this->RollingFriction;
    material.surface_energy = this->SurfaceEnergy;
    material.thermal_conductivity = this->ThermalConductivity;
    material.true_youngs_modulus = this->TrueYoungsModulus;
    vtkDEMWallInput::WriteMaterial(material, output->GetFieldData());
  }
  dem::Motion motion;
  motion.kind = static_cast<dem::MotionKind>(this->Motion);
  motion.origin = { this->Origin[0], this->Origin[1], this->Origin[2] };
  motion.axis = { this->Axis[0], this->Axis[1], this->Axis[2] };
  motion.rate = vtkMath::RadiansFromDegrees(this->RotationRate);
  motion.velocity = { this->Velocity[0], this->Velocity[1], this->Velocity[2] };
  motion.amplitude = this->Amplitude;
  motion.frequency = this->Frequency;
  motion.phase = vtkMath::RadiansFromDegrees(this->Phase);
  motion.start = this->StartTime;
  motion.stop = this->StopTime;
  vtkDEMWallInput::WriteMotion(motion, output->GetFieldData());
  dem::WallHeat heat;
  heat.condition = static_cast<dem::ThermalCondition>(this->ThermalCondition);
  heat.temperature = this->Temperature;
  heat.heat_flux = this->HeatFlux;
  vtkDEMWallInput::WriteHeat(heat, output->GetFieldData());
  vtkDEMWallInput::WritePermeable(this->Permeable, output->GetFieldData());
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMWall::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "WallName: " << this->WallName << endl;
  os << indent << "OwnMaterial: " << this->OwnMaterial << endl;
  os << indent << "YoungsModulus: " << this->YoungsModulus << endl;
  os << indent << "PoissonsRatio: " << this->PoissonsRatio << endl;
  os << indent << "Restitution: " << this->Restitution << endl;
  os << indent << "Friction: " << this->Friction << endl;
  os << indent << "RollingFriction: " << this->RollingFriction << endl;
  os << indent << "SurfaceEnergy: " << this->SurfaceEnergy << endl;
  os << indent << "ThermalConductivity: " << this->ThermalConductivity << endl;
  os << indent << "TrueYoungsModulus: " << this->TrueYoungsModulus << endl;
  os << indent << "ThermalCondition: " << this->ThermalCondition << endl;
  os << indent << "Temperature: " << this->Temperature << endl;
  os << indent << "HeatFlux: " << this->HeatFlux << endl;
  os << indent << "Permeable: " << this->Permeable << endl;
  os << indent << "Motion: " << this->Motion << endl;
  os << indent << "Origin: " << this->Origin[0] << " " << this->Origin[1] << " " << this->Origin[2]
     << endl;
  os << indent << "Axis: " << this->Axis[0] << " " << this->Axis[1] << " " << this->Axis[2] << endl;
  os << indent << "RotationRate: " << this->RotationRate << endl;
  os << indent << "Velocity: " << this->Velocity[0] << " " << this->Velocity[1] << " "
     << this->Velocity[2] << endl;
  os << indent << "Amplitude: " << this->Amplitude << endl;
  os << indent << "Frequency: " << this->Frequency << endl;
  os << indent << "Phase: " << this->Phase << endl;
  os << indent << "StartTime: " << this->StartTime << endl;
  os << indent << "StopTime: " << this->StopTime << endl;
}
