#include "vtkDEMRollingNone.h"

#include "Scene/Scene.h"

#include "vtkObjectFactory.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMRollingNone);

//------------------------------------------------------------------------------
vtkDEMRollingNone::vtkDEMRollingNone() = default;

//------------------------------------------------------------------------------
vtkDEMRollingNone::~vtkDEMRollingNone() = default;

//------------------------------------------------------------------------------
void vtkDEMRollingNone::Fill(dem::ContactModel& model) { model.rolling = dem::RollingModel::None; }

//------------------------------------------------------------------------------
void vtkDEMRollingNone::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
