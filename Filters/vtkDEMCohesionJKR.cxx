#include "vtkDEMCohesionJKR.h"

#include "Scene/Scene.h"

#include "vtkObjectFactory.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMCohesionJKR);

//------------------------------------------------------------------------------
vtkDEMCohesionJKR::vtkDEMCohesionJKR() = default;

//------------------------------------------------------------------------------
vtkDEMCohesionJKR::~vtkDEMCohesionJKR() = default;

//------------------------------------------------------------------------------
void vtkDEMCohesionJKR::Fill(dem::ContactModel& model) { model.cohesion = dem::CohesionModel::JKR; }

//------------------------------------------------------------------------------
void vtkDEMCohesionJKR::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
