#include "vtkSMDEMWallListDomain.h"

#include "vtkObjectFactory.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkSMDEMWallListDomain);

//------------------------------------------------------------------------------
vtkSMDEMWallListDomain::vtkSMDEMWallListDomain() = default;

//------------------------------------------------------------------------------
vtkSMDEMWallListDomain::~vtkSMDEMWallListDomain() = default;

//------------------------------------------------------------------------------
void vtkSMDEMWallListDomain::SetChoices(const std::vector<std::string>& choices)
{
  this->SetStrings(choices);
}

//------------------------------------------------------------------------------
void vtkSMDEMWallListDomain::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
