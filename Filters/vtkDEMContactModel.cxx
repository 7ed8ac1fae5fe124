#include "vtkDEMContactModel.h"

//------------------------------------------------------------------------------
vtkDEMContactModel::vtkDEMContactModel() = default;

//------------------------------------------------------------------------------
vtkDEMContactModel::~vtkDEMContactModel() = default;

//------------------------------------------------------------------------------
void vtkDEMContactModel::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
