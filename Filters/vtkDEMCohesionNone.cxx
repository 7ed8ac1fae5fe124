#include "vtkDEMCohesionNone.h"

#include "Scene/Scene.h"

#include "vtkObjectFactory.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMCohesionNone);

//------------------------------------------------------------------------------
vtkDEMCohesionNone::vtkDEMCohesionNone() = default;

//------------------------------------------------------------------------------
vtkDEMCohesionNone::~vtkDEMCohesionNone() = default;

//------------------------------------------------------------------------------
void vtkDEMCohesionNone::Fill(dem::ContactModel& model)
{
  model.cohesion = dem::CohesionModel::None;
}

//------------------------------------------------------------------------------
void vtkDEMCohesionNone::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
