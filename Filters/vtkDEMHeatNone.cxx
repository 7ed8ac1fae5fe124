#include "vtkDEMHeatNone.h"

#include "Scene/Scene.h"

#include "vtkObjectFactory.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMHeatNone);

//------------------------------------------------------------------------------
vtkDEMHeatNone::vtkDEMHeatNone() = default;

//------------------------------------------------------------------------------
vtkDEMHeatNone::~vtkDEMHeatNone() = default;

//------------------------------------------------------------------------------
void vtkDEMHeatNone::Fill(dem::HeatOptions& options) { options = {}; }

//------------------------------------------------------------------------------
void vtkDEMHeatNone::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
