#include "vtkDEMNozzle.h"

#include "Bridge/vtkDEMNozzleInput.h"
#include "Core/Error.h"
#include "detail/vtkDEMLabels.h"

#include "vtkCellArray.h"
#include "vtkErrorCode.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMath.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <cmath>

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMNozzle);

//------------------------------------------------------------------------------
vtkDEMNozzle::vtkDEMNozzle() { this->SetNumberOfInputPorts(0); }

//------------------------------------------------------------------------------
vtkDEMNozzle::~vtkDEMNozzle() = default;

//------------------------------------------------------------------------------
void vtkDEMNozzle::SetNozzleName(const char* name)
{
  const std::string wanted = name ? name : "";
  if (this->NozzleName != wanted)
  {
    this->NozzleName = wanted;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMNozzle::GetNozzleName() const { return this->NozzleName.c_str(); }

//------------------------------------------------------------------------------
void vtkDEMNozzle::SetMovesWith(const char* name)
{
  const std::string wanted = name ? name : "";
  if (this->MovesWith != wanted)
  {
    this->MovesWith = wanted;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMNozzle::GetMovesWith() const { return this->MovesWith.c_str(); }

//------------------------------------------------------------------------------
void vtkDEMNozzle::FillNozzle(dem::Nozzle& nozzle) const
{
  nozzle.name = this->NozzleName.empty() ? "Nozzle" : this->NozzleName;
  nozzle.position = { this->Position[0], this->Position[1], this->Position[2] };
  nozzle.axis = { this->Axis[0], this->Axis[1], this->Axis[2] };
  nozzle.up = { this->Up[0], this->Up[1], this->Up[2] };
  nozzle.full_angle = vtkMath::RadiansFromDegrees(this->FullAngle);
  nozzle.across_angle = vtkMath::RadiansFromDegrees(this->AcrossAngle);
  nozzle.profile = static_cast<dem::SprayProfile>(this->Profile);
  nozzle.mass_rate = this->MassRate;
  nozzle.rays = this->RaysPerSample;
  nozzle.interval = this->SampleInterval;
  nozzle.start = this->StartTime;
  nozzle.stop = this->StopTime;
  nozzle.seed = this->Seed;
}

//------------------------------------------------------------------------------
// All ranks get the field data, so each must execute.
int vtkDEMNozzle::RequestInformation(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** vtkNotUsed(inputVector), vtkInformationVector* outputVector)
{
  outputVector->GetInformationObject(0)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMNozzle::RequestData(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** vtkNotUsed(inputVector), vtkInformationVector* outputVector)
{
  using SDDP = vtkStreamingDemandDrivenPipeline;
  this->ErrorCode = vtkErrorCode::NoError;
  vtkInformation* info = outputVector->GetInformationObject(0);
  vtkPolyData* output = vtkPolyData::GetData(info);
  dem::Nozzle nozzle;
  this->FillNozzle(nozzle);
  try
  {
    dem::validateNozzle(nozzle, 0, {});
    if (!(this->ShownLength > 0) || !std::isfinite(this->ShownLength))
    {
      throw dem::Error("ShownLength must be above 0 m.");
    }
  }
  catch (const dem::Error& e)
  {
    vtkErrorMacro(<< vtkDEMLabels::InMessage(e.what()));
    this->ErrorCode = vtkErrorCode::UserError; // not by its setter, which marks this as modified
    return 1;
  }
  nozzle.name = this->NozzleName;
  nozzle.moves_with = this->MovesWith;
  vtkDEMNozzleInput::Write(nozzle, output->GetFieldData());
  if (info->Has(SDDP::UPDATE_PIECE_NUMBER()) && info->Get(SDDP::UPDATE_PIECE_NUMBER()) > 0)
  {
    return 1; // the first piece holds the cone
  }

  const auto [axis, first, across] = dem::nozzleFrame(nozzle);
  const double half = 0.5 * nozzle.full_angle;
  const double halfAcross = nozzle.across_angle > 0 ? 0.5 * nozzle.across_angle : half;
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->InsertNextPoint(nozzle.position.x, nozzle.position.y, nozzle.position.z);
  vtkNew<vtkCellArray> polygons;
  constexpr int sides = 48;
  for (int i = 0; i < sides; ++i)
  {
    const double angle = 2 * vtkMath::Pi() * i / sides;
    dem::Vec3d d;
    if (nozzle.across_angle > 0)
    {
      d = axis + (std::tan(half) * std::cos(angle)) * first +
        (std::tan(halfAcross) * std::sin(angle)) * across;
    }
    else
    {
      d = std::cos(half) * axis + (std::sin(half) * std::cos(angle)) * first +
        (std::sin(half) * std::sin(angle)) * across;
    }
    const dem::Vec3d p = nozzle.position + this->ShownLength * dem::normalized(d);
    points->InsertNextPoint(p.x, p.y, p.z);
    const vtkIdType corners[3] = { 0, 1 + i, 1 + (i + 1) % sides };
    polygons->InsertNextCell(3, corners);
  }
  output->SetPoints(points);
  output->SetPolys(polygons);
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMNozzle::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "NozzleName: " << this->NozzleName << endl;
  os << indent << "Position: " << this->Position[0] << " " << this->Position[1] << " "
     << this->Position[2] << endl;
  os << indent << "Axis: " << this->Axis[0] << " " << this->Axis[1] << " " << this->Axis[2] << endl;
  os << indent << "Up: " << this->Up[0] << " " << this->Up[1] << " " << this->Up[2] << endl;
  os << indent << "FullAngle: " << this->FullAngle << endl;
  os << indent << "AcrossAngle: " << this->AcrossAngle << endl;
  os << indent << "Profile: " << this->Profile << endl;
  os << indent << "MassRate: " << this->MassRate << endl;
  os << indent << "RaysPerSample: " << this->RaysPerSample << endl;
  os << indent << "SampleInterval: " << this->SampleInterval << endl;
  os << indent << "StartTime: " << this->StartTime << endl;
  os << indent << "StopTime: " << this->StopTime << endl;
  os << indent << "Seed: " << this->Seed << endl;
  os << indent << "MovesWith: " << this->MovesWith << endl;
  os << indent << "ShownLength: " << this->ShownLength << endl;
}
