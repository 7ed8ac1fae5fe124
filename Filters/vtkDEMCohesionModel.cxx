#include "vtkDEMCohesionModel.h"

//------------------------------------------------------------------------------
vtkDEMCohesionModel::vtkDEMCohesionModel() = default;

//------------------------------------------------------------------------------
vtkDEMCohesionModel::~vtkDEMCohesionModel() = default;

//------------------------------------------------------------------------------
void vtkDEMCohesionModel::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
