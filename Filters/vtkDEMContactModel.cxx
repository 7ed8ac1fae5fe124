#include "vtkDEMContactModel.h"

#include "vtkDEMCohesionModel.h"

#include <algorithm>

//------------------------------------------------------------------------------
vtkDEMContactModel::vtkDEMContactModel() = default;

//------------------------------------------------------------------------------
vtkDEMContactModel::~vtkDEMContactModel() = default;

//------------------------------------------------------------------------------
void vtkDEMContactModel::SetCohesion(vtkDEMCohesionModel* cohesion)
{
  if (this->Cohesion != cohesion)
  {
    this->Cohesion = cohesion;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
vtkDEMCohesionModel* vtkDEMContactModel::GetCohesion() { return this->Cohesion; }

//------------------------------------------------------------------------------
vtkMTimeType vtkDEMContactModel::GetMTime()
{
  return std::max(this->Superclass::GetMTime(), this->Cohesion ? this->Cohesion->GetMTime() : 0);
}

//------------------------------------------------------------------------------
void vtkDEMContactModel::Fill(dem::ContactModel& model)
{
  if (this->Cohesion)
  {
    this->Cohesion->Fill(model);
  }
}

//------------------------------------------------------------------------------
void vtkDEMContactModel::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Cohesion: " << this->Cohesion.GetPointer() << endl;
}
