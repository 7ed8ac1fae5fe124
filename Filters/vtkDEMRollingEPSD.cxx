#include "vtkDEMRollingEPSD.h"

#include "Scene/Scene.h"

#include "vtkObjectFactory.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMRollingEPSD);

//------------------------------------------------------------------------------
vtkDEMRollingEPSD::vtkDEMRollingEPSD() = default;

//------------------------------------------------------------------------------
vtkDEMRollingEPSD::~vtkDEMRollingEPSD() = default;

//------------------------------------------------------------------------------
void vtkDEMRollingEPSD::Fill(dem::ContactModel& model)
{
  model.rolling = dem::RollingModel::EPSD;
  model.rolling_damping = this->RollingDamping;
}

//------------------------------------------------------------------------------
void vtkDEMRollingEPSD::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "RollingDamping: " << this->RollingDamping << endl;
}
