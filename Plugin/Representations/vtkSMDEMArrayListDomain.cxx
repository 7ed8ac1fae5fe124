#include "vtkSMDEMArrayListDomain.h"

#include "vtkCommand.h"
#include "vtkObjectFactory.h"

vtkStandardNewMacro(vtkSMDEMArrayListDomain);

//------------------------------------------------------------------------------
vtkSMDEMArrayListDomain::vtkSMDEMArrayListDomain()
{
  // Only the superclass observes the domain yet.
  this->RemoveObservers(vtkCommand::DomainModifiedEvent);
}

//------------------------------------------------------------------------------
vtkSMDEMArrayListDomain::~vtkSMDEMArrayListDomain() = default;

//------------------------------------------------------------------------------
void vtkSMDEMArrayListDomain::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
