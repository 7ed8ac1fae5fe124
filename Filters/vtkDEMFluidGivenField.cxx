#include "vtkDEMFluidGivenField.h"

#include "Scene/Scene.h"

#include "vtkObjectFactory.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMFluidGivenField);

//------------------------------------------------------------------------------
vtkDEMFluidGivenField::vtkDEMFluidGivenField() = default;

//------------------------------------------------------------------------------
vtkDEMFluidGivenField::~vtkDEMFluidGivenField() = default;

//------------------------------------------------------------------------------
void vtkDEMFluidGivenField::Fill(dem::FluidOptions& options)
{
  this->Superclass::Fill(options);
  options.model = dem::FluidModel::GivenField;
  options.viscous_stress = this->ViscousStress;
  options.magnus_lift = this->MagnusLift;
  options.saffman_lift = this->SaffmanLift;
}

//------------------------------------------------------------------------------
void vtkDEMFluidGivenField::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "ViscousStress: " << this->ViscousStress << endl;
  os << indent << "MagnusLift: " << this->MagnusLift << endl;
  os << indent << "SaffmanLift: " << this->SaffmanLift << endl;
}
