#include "vtkDEMWall.h"

#include "Bridge/vtkDEMWallInput.h"
#include "Core/Error.h"
#include "Scene/Scene.h"
#include "Walls/WallMesh.h"
#include "detail/vtkDEMLabels.h"

#include "vtkCellData.h"
#include "vtkDataSet.h"
#include "vtkErrorCode.h"
#include "vtkFieldData.h"
#include "vtkGeometryFilter.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMath.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <cmath>

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
  info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  return 1;
}

//------------------------------------------------------------------------------
// A wall that is no mesh does not depend on its input. All ranks get its field data, so each must
// execute.
int vtkDEMWall::RequestInformation(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** vtkNotUsed(inputVector), vtkInformationVector* outputVector)
{
  if (this->Kind != MESH && !this->AddMotion)
  {
    vtkInformation* info = outputVector->GetInformationObject(0);
    info->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
    info->Remove(vtkStreamingDemandDrivenPipeline::TIME_STEPS());
    info->Remove(vtkStreamingDemandDrivenPipeline::TIME_RANGE());
  }
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMWall::Fail(const std::string& message)
{
  vtkErrorMacro(<< vtkDEMLabels::InMessage(message));
  this->ErrorCode = vtkErrorCode::UserError; // not by its setter, which marks this as modified
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMWall::FillWall(dem::Wall& wall) const
{
  const auto vector = [](const double* v) { return dem::Vec3d{ v[0], v[1], v[2] }; };
  wall.name = this->WallName.empty() ? "Wall" : this->WallName;
  wall.kind = static_cast<dem::WallKind>(this->Kind);
  wall.origin = vector(this->Point1);
  wall.end = vector(this->Point2);
  wall.normal = vector(this->Normal);
  wall.edge_u = vector(this->EdgeU);
  wall.edge_v = vector(this->EdgeV);
  wall.radius = this->Radius;
  wall.end_radius = this->EndRadius;
  wall.permeable = this->Permeable;
  dem::Motion& motion = wall.motion;
  motion.kind = static_cast<dem::MotionKind>(this->Motion);
  motion.origin = vector(this->Origin);
  motion.axis = vector(this->Axis);
  motion.rate = vtkMath::RadiansFromDegrees(this->RotationRate);
  motion.velocity = vector(this->Velocity);
  motion.amplitude = this->Amplitude;
  motion.frequency = this->Frequency;
  motion.phase = vtkMath::RadiansFromDegrees(this->Phase);
  motion.start = this->StartTime;
  motion.stop = this->StopTime;
  wall.heat.condition = static_cast<dem::ThermalCondition>(this->ThermalCondition);
  wall.heat.temperature = this->Temperature;
  wall.heat.heat_flux = this->HeatFlux;
}

//------------------------------------------------------------------------------
void vtkDEMWall::TakeSurface(vtkDataSet* input, vtkPolyData* output) const
{
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
}

//------------------------------------------------------------------------------
int vtkDEMWall::RequestData(vtkInformation* vtkNotUsed(request), vtkInformationVector** inputVector,
  vtkInformationVector* outputVector)
{
  using SDDP = vtkStreamingDemandDrivenPipeline;
  this->ErrorCode = vtkErrorCode::NoError;
  vtkDataSet* input = vtkDataSet::GetData(inputVector[0], 0);
  vtkInformation* info = outputVector->GetInformationObject(0);
  vtkPolyData* output = vtkPolyData::GetData(info);
  dem::Wall wall;
  this->FillWall(wall);
  if (this->AddMotion)
  {
    if (input)
    {
      this->TakeSurface(input, output);
    }
    if (!input || !vtkDEMWallInput::AddMotion(wall.motion, output->GetFieldData()))
    {
      output->Initialize();
      return this->Fail("AddMotion is on, but the Input is no DEM Wall. Choose a DEM Wall as "
                        "Input, or switch AddMotion off.");
    }
    return 1;
  }
  if (this->Kind == MESH)
  {
    if (!input)
    {
      return this->Fail(
        "The wall has no Input, and its Kind is Mesh. Choose a surface as Input, or "
        "another Kind.");
    }
    this->TakeSurface(input, output);
    // The solid numbers of the STL reader are removed: ParaView would colour the wall by them, with
    // a legend.
    output->GetCellData()->RemoveArray("STLSolidLabeling");
    vtkDEMWallInput::RemoveShape(output->GetFieldData());
  }
  else
  {
    try
    {
      dem::validateWall(wall, 0);
      if (!(this->ShownSize > 0) || !std::isfinite(this->ShownSize))
      {
        throw dem::Error("ShownSize must be above 0 m.");
      }
    }
    catch (const dem::Error& e)
    {
      return this->Fail(e.what());
    }
    const bool first =
      !info->Has(SDDP::UPDATE_PIECE_NUMBER()) || info->Get(SDDP::UPDATE_PIECE_NUMBER()) == 0;
    vtkDEMWallInput::WriteShape(wall, this->ShownSize, first, output);
  }

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
  vtkDEMWallInput::WriteMotion(wall.motion, output->GetFieldData());
  vtkDEMWallInput::WriteHeat(wall.heat, output->GetFieldData());
  vtkDEMWallInput::WritePermeable(wall.permeable, output->GetFieldData());
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMWall::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  const auto print = [&](const char* name, const double* v)
  { os << indent << name << v[0] << " " << v[1] << " " << v[2] << endl; };
  os << indent << "Kind: " << this->Kind << endl;
  print("Point1: ", this->Point1);
  print("Point2: ", this->Point2);
  print("Normal: ", this->Normal);
  print("EdgeU: ", this->EdgeU);
  print("EdgeV: ", this->EdgeV);
  os << indent << "Radius: " << this->Radius << endl;
  os << indent << "EndRadius: " << this->EndRadius << endl;
  os << indent << "ShownSize: " << this->ShownSize << endl;
  os << indent << "AddMotion: " << this->AddMotion << endl;
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
