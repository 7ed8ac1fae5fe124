#include "vtkDEMRollingCDT.h"

#include "Scene/Scene.h"

#include "vtkObjectFactory.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMRollingCDT);

//------------------------------------------------------------------------------
vtkDEMRollingCDT::vtkDEMRollingCDT() = default;

//------------------------------------------------------------------------------
vtkDEMRollingCDT::~vtkDEMRollingCDT() = default;

//------------------------------------------------------------------------------
void vtkDEMRollingCDT::Fill(dem::ContactModel& model) { model.rolling = dem::RollingModel::CDT; }

//------------------------------------------------------------------------------
void vtkDEMRollingCDT::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
