/**
 * @class   vtkDEMHertzMindlin
 * @brief   Hertz-Mindlin contact with viscous damping after Tsuji
 *
 * Normal stiffness 2 E* sqrt(R* d), tangential stiffness 8 G* sqrt(R* d), damping from the
 * coefficient of restitution (Tsuji, Tanaka, Ishida 1992). It has no parameters of its own:
 * stiffness follows from the materials.
 */

#ifndef vtkDEMHertzMindlin_h
#define vtkDEMHertzMindlin_h

#include "vtkDEMContactModel.h"

class VTKPARAGRAINFILTERS_EXPORT vtkDEMHertzMindlin : public vtkDEMContactModel
{
public:
  static vtkDEMHertzMindlin* New();
  vtkTypeMacro(vtkDEMHertzMindlin, vtkDEMContactModel);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  void Fill(dem::ContactModel& model) override;

protected:
  vtkDEMHertzMindlin();
  ~vtkDEMHertzMindlin() override;

private:
  vtkDEMHertzMindlin(const vtkDEMHertzMindlin&) = delete;
  void operator=(const vtkDEMHertzMindlin&) = delete;
};

#endif
