/**
 * @class   vtkDEMLinearSpringDashpot
 * @brief   linear spring and dashpot
 *
 * Normal stiffness from a collision time that is the same for all pairs, kn = m* (pi^2 + ln^2 e) /
 * tc^2, or given directly. Tangential stiffness is StiffnessRatio times the normal one; damping
 * follows from the coefficient of restitution.
 */

#ifndef vtkDEMLinearSpringDashpot_h
#define vtkDEMLinearSpringDashpot_h

#include "vtkDEMContactModel.h"

class VTKPARAGRAINFILTERS_EXPORT vtkDEMLinearSpringDashpot : public vtkDEMContactModel
{
public:
  static vtkDEMLinearSpringDashpot* New();
  vtkTypeMacro(vtkDEMLinearSpringDashpot, vtkDEMContactModel);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum StiffnessModes
  {
    COLLISION_TIME = 0,
    NORMAL_STIFFNESS = 1
  };

  ///@{
  /**
   * Normal stiffness from COLLISION_TIME (default) or NORMAL_STIFFNESS.
   */
  vtkSetClampMacro(StiffnessMode, int, COLLISION_TIME, NORMAL_STIFFNESS);
  vtkGetMacro(StiffnessMode, int);
  ///@}

  ///@{
  /**
   * Duration of a binary collision in s, the same for all pairs; default 0.001, > 0.
   */
  vtkSetMacro(CollisionTime, double);
  vtkGetMacro(CollisionTime, double);
  ///@}

  ///@{
  /**
   * Normal stiffness of every contact in N/m; default 10000, > 0.
   */
  vtkSetMacro(NormalStiffness, double);
  vtkGetMacro(NormalStiffness, double);
  ///@}

  ///@{
  /**
   * Tangential over normal stiffness, without unit; default 2/7, >= 0.
   */
  vtkSetMacro(StiffnessRatio, double);
  vtkGetMacro(StiffnessRatio, double);
  ///@}

  void Fill(dem::ContactModel& model) override;

protected:
  vtkDEMLinearSpringDashpot();
  ~vtkDEMLinearSpringDashpot() override;

  int StiffnessMode = COLLISION_TIME;
  double CollisionTime = 1e-3;
  double NormalStiffness = 1e4;
  double StiffnessRatio = 2.0 / 7.0;

private:
  vtkDEMLinearSpringDashpot(const vtkDEMLinearSpringDashpot&) = delete;
  void operator=(const vtkDEMLinearSpringDashpot&) = delete;
};

#endif
