#include "vtkDEMFluidNone.h"

#include "Scene/Scene.h"

#include "vtkObjectFactory.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMFluidNone);

//------------------------------------------------------------------------------
vtkDEMFluidNone::vtkDEMFluidNone() = default;

//------------------------------------------------------------------------------
vtkDEMFluidNone::~vtkDEMFluidNone() = default;

//------------------------------------------------------------------------------
void vtkDEMFluidNone::Fill(dem::FluidOptions& options) { options = {}; }

//------------------------------------------------------------------------------
void vtkDEMFluidNone::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
