#include "vtkSMDEMWallProxy.h"

#include "vtkObjectFactory.h"
#include "vtkSMPropertyHelper.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkSMDEMWallProxy);

//------------------------------------------------------------------------------
vtkSMDEMWallProxy::vtkSMDEMWallProxy() = default;

//------------------------------------------------------------------------------
vtkSMDEMWallProxy::~vtkSMDEMWallProxy() = default;

//------------------------------------------------------------------------------
void vtkSMDEMWallProxy::UpdateVTKObjects()
{
  const bool hasInput = vtkSMPropertyHelper(this, "Kind").GetAsInt() == 0 ||
    vtkSMPropertyHelper(this, "AddMotion").GetAsInt() != 0;
  vtkSMPropertyHelper input(this, "Input");
  if (this->HadInput && !hasInput && input.GetNumberOfElements() > 0 && input.GetAsProxy())
  {
    input.RemoveAllValues();
  }
  this->HadInput = hasInput;
  this->Superclass::UpdateVTKObjects();
}
