#include "vtkDEMFluidVolumeAveraged.h"

#include "Scene/Names.h"
#include "detail/vtkDEMChoice.h"

#include "vtkObjectFactory.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMFluidVolumeAveraged);

//------------------------------------------------------------------------------
vtkDEMFluidVolumeAveraged::vtkDEMFluidVolumeAveraged() = default;

//------------------------------------------------------------------------------
vtkDEMFluidVolumeAveraged::~vtkDEMFluidVolumeAveraged() = default;

//------------------------------------------------------------------------------
void vtkDEMFluidVolumeAveraged::AddInlet(
  double side, double lower0, double lower1, double upper0, double upper1, double velocity)
{
  this->Inlets.insert(this->Inlets.end(), { side, lower0, lower1, upper0, upper1, velocity });
  this->Modified();
}

//------------------------------------------------------------------------------
void vtkDEMFluidVolumeAveraged::RemoveAllInlets()
{
  if (!this->Inlets.empty())
  {
    this->Inlets.clear();
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMFluidVolumeAveraged::Fill(dem::FluidOptions& options)
{
  using vtkDEMChoice::Choice;
  this->Superclass::Fill(options);
  options.model = dem::FluidModel::VolumeAveraged;
  options.equations =
    Choice<dem::FluidEquations>("FluidEquations", this->FluidEquations, dem::kFluidEquationsNames);
  const int sides[6] = { this->XMinBoundary, this->XMaxBoundary, this->YMinBoundary,
    this->YMaxBoundary, this->ZMinBoundary, this->ZMaxBoundary };
  constexpr const char* names[6] = { "XMinBoundary", "XMaxBoundary", "YMinBoundary", "YMaxBoundary",
    "ZMinBoundary", "ZMaxBoundary" };
  for (std::size_t side = 0; side < 6; ++side)
  {
    options.border[side] =
      Choice<dem::FluidBorder>(names[side], sides[side], dem::kFluidBorderNames);
  }
  options.inlet_velocity = this->InletVelocity;
  options.inlet_profile =
    Choice<dem::InletProfile>("InletProfile", this->InletProfile, dem::kInletProfileNames);
  options.inlet_ramp = this->InletRamp;
  options.inlet_factor = this->InletFactor;
  options.inlets = this->Inlets;
  options.driving_force = { this->DrivingForce[0], this->DrivingForce[1], this->DrivingForce[2] };
  options.smagorinsky = this->SmagorinskyConstant;
  options.exchange_diameter = this->ExchangeDiameter;
  options.tolerance = this->FluidTolerance;
}

//------------------------------------------------------------------------------
void vtkDEMFluidVolumeAveraged::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FluidEquations: " << this->FluidEquations << endl;
  os << indent << "XMinBoundary: " << this->XMinBoundary << endl;
  os << indent << "XMaxBoundary: " << this->XMaxBoundary << endl;
  os << indent << "YMinBoundary: " << this->YMinBoundary << endl;
  os << indent << "YMaxBoundary: " << this->YMaxBoundary << endl;
  os << indent << "ZMinBoundary: " << this->ZMinBoundary << endl;
  os << indent << "ZMaxBoundary: " << this->ZMaxBoundary << endl;
  os << indent << "InletVelocity: " << this->InletVelocity << endl;
  os << indent << "InletProfile: " << this->InletProfile << endl;
  os << indent << "InletRamp: " << this->InletRamp << endl;
  os << indent << "InletFactor: " << this->InletFactor << endl;
  os << indent << "Inlets: " << this->GetNumberOfInlets() << endl;
  os << indent << "DrivingForce: " << this->DrivingForce[0] << " " << this->DrivingForce[1] << " "
     << this->DrivingForce[2] << endl;
  os << indent << "SmagorinskyConstant: " << this->SmagorinskyConstant << endl;
  os << indent << "ExchangeDiameter: " << this->ExchangeDiameter << endl;
  os << indent << "FluidTolerance: " << this->FluidTolerance << endl;
}
