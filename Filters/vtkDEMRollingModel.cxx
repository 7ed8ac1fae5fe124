#include "vtkDEMRollingModel.h"

//------------------------------------------------------------------------------
vtkDEMRollingModel::vtkDEMRollingModel() = default;

//------------------------------------------------------------------------------
vtkDEMRollingModel::~vtkDEMRollingModel() = default;

//------------------------------------------------------------------------------
void vtkDEMRollingModel::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
