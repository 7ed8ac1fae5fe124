#include "vtkDEMWallsRepresentation.h"

#include "vtkObjectFactory.h"

#include <algorithm>

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMWallsRepresentation);

//------------------------------------------------------------------------------
vtkDEMWallsRepresentation::vtkDEMWallsRepresentation()
{
  this->SetOpacity(this->DisplayOpacity);
}

//------------------------------------------------------------------------------
vtkDEMWallsRepresentation::~vtkDEMWallsRepresentation() = default;

//------------------------------------------------------------------------------
void vtkDEMWallsRepresentation::SetWallOpacity(double factor)
{
  factor = std::clamp(factor, 0.0, 1.0);
  if (this->WallOpacity != factor)
  {
    this->WallOpacity = factor;
    this->SetOpacity(this->DisplayOpacity);
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMWallsRepresentation::SetOpacity(double opacity)
{
  this->DisplayOpacity = opacity;
  this->Superclass::SetOpacity(this->WallOpacity * opacity);
}

//------------------------------------------------------------------------------
bool vtkDEMWallsRepresentation::NeedsOrderedCompositing()
{
  return false;
}

//------------------------------------------------------------------------------
void vtkDEMWallsRepresentation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "WallOpacity: " << this->WallOpacity << endl;
}
