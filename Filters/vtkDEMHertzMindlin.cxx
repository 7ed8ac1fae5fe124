#include "vtkDEMHertzMindlin.h"

#include "Scene/Scene.h"

#include "vtkObjectFactory.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMHertzMindlin);

//------------------------------------------------------------------------------
vtkDEMHertzMindlin::vtkDEMHertzMindlin() = default;

//------------------------------------------------------------------------------
vtkDEMHertzMindlin::~vtkDEMHertzMindlin() = default;

//------------------------------------------------------------------------------
void vtkDEMHertzMindlin::Fill(dem::ContactModel& model)
{
  this->Superclass::Fill(model);
  model.law = dem::NormalLaw::HertzMindlin;
}

//------------------------------------------------------------------------------
void vtkDEMHertzMindlin::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
