#include "vtkDEMFluidModel.h"

//------------------------------------------------------------------------------
vtkDEMFluidModel::vtkDEMFluidModel() = default;

//------------------------------------------------------------------------------
vtkDEMFluidModel::~vtkDEMFluidModel() = default;

//------------------------------------------------------------------------------
void vtkDEMFluidModel::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
