/**
 * @class   vtkSMDEMWallListDomain
 * @brief   domain of the surfaces that can be checked in a list of walls
 *
 * A vtkSMArraySelectionDomain whose strings a proxy sets itself: vtkSMDEMWallList sets the surfaces
 * of the pipeline. In XML: `<DEMWallListDomain name="list"/>`.
 */

#ifndef vtkSMDEMWallListDomain_h
#define vtkSMDEMWallListDomain_h

#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkSMArraySelectionDomain.h"

#include <string> // for std::string
#include <vector> // for std::vector

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkSMDEMWallListDomain : public vtkSMArraySelectionDomain
{
public:
  static vtkSMDEMWallListDomain* New();
  vtkTypeMacro(vtkSMDEMWallListDomain, vtkSMArraySelectionDomain);
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
