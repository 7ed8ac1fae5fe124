#include "vtkDEMFluidFlow.h"

#include "Scene/Names.h"
#include "detail/vtkDEMChoice.h"

//------------------------------------------------------------------------------
vtkDEMFluidFlow::vtkDEMFluidFlow() = default;

//------------------------------------------------------------------------------
vtkDEMFluidFlow::~vtkDEMFluidFlow() = default;

//------------------------------------------------------------------------------
void vtkDEMFluidFlow::Fill(dem::FluidOptions& options)
{
  options.drag = vtkDEMChoice::Choice<dem::DragLaw>("DragLaw", this->DragLaw, dem::kDragLawNames);
  options.velocity = { this->FluidVelocity[0], this->FluidVelocity[1], this->FluidVelocity[2] };
  options.density = this->FluidDensity;
  options.viscosity = this->FluidViscosity;
  options.buoyancy = this->Buoyancy;
  options.cell_size = this->FluidCellSize;
  options.interval = this->FluidInterval;
}

//------------------------------------------------------------------------------
void vtkDEMFluidFlow::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FluidVelocity: " << this->FluidVelocity[0] << " " << this->FluidVelocity[1]
     << " " << this->FluidVelocity[2] << endl;
  os << indent << "DragLaw: " << this->DragLaw << endl;
  os << indent << "FluidDensity: " << this->FluidDensity << endl;
  os << indent << "FluidViscosity: " << this->FluidViscosity << endl;
  os << indent << "Buoyancy: " << this->Buoyancy << endl;
  os << indent << "FluidCellSize: " << this->FluidCellSize << endl;
  os << indent << "FluidInterval: " << this->FluidInterval << endl;
  os << indent << "FluidResolution: " << this->FluidResolution << endl;
}
