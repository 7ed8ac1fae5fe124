/**
 * @class   vtkSMDEMWallListDomain
 * @brief   domain of the surfaces that can be checked in a list of walls
 *
 * A list of arrays whose strings a proxy sets itself: vtkSMDEMWallList sets the surfaces
 * of the pipeline. In XML: `<DEMWallListDomain name="list"/>`.
 */

#ifndef vtkSMDEMWallListDomain_h
#define vtkSMDEMWallListDomain_h

#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkSMDEMArrayListDomain.h"

#include <string> // for std::string
#include <vector> // for std::vector

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkSMDEMWallListDomain : public vtkSMDEMArrayListDomain
{
public:
  static vtkSMDEMWallListDomain* New();
  vtkTypeMacro(vtkSMDEMWallListDomain, vtkSMDEMArrayListDomain);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Sets the strings of the list and updates its widgets.
   */
  void SetChoices(const std::vector<std::string>& choices);

protected:
  vtkSMDEMWallListDomain();
  ~vtkSMDEMWallListDomain() override;

private:
  vtkSMDEMWallListDomain(const vtkSMDEMWallListDomain&) = delete;
  void operator=(const vtkSMDEMWallListDomain&) = delete;
};

#endif
