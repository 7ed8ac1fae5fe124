/**
 * Domain of a list of arrays that is stated in the XML. ParaView 6.1 sets such a property to
 * defaults whenever the domain is changed, and reads the property before it is known.
 */

#ifndef vtkSMDEMArrayListDomain_h
#define vtkSMDEMArrayListDomain_h

#include "vtkParaGrainRepresentationsModule.h"
#include "vtkSMArraySelectionDomain.h"

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkSMDEMArrayListDomain : public vtkSMArraySelectionDomain
{
public:
  static vtkSMDEMArrayListDomain* New();
  vtkTypeMacro(vtkSMDEMArrayListDomain, vtkSMArraySelectionDomain);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkSMDEMArrayListDomain();
  ~vtkSMDEMArrayListDomain() override;

private:
  vtkSMDEMArrayListDomain(const vtkSMDEMArrayListDomain&) = delete;
  void operator=(const vtkSMDEMArrayListDomain&) = delete;
};

#endif
