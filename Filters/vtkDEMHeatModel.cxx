#include "vtkDEMHeatModel.h"

//------------------------------------------------------------------------------
vtkDEMHeatModel::vtkDEMHeatModel() = default;

//------------------------------------------------------------------------------
vtkDEMHeatModel::~vtkDEMHeatModel() = default;

//------------------------------------------------------------------------------
void vtkDEMHeatModel::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
