#include "vtkDEMLinearSpringDashpot.h"

#include "Bridge/vtkDEMArrays.h"
#include "Core/Error.h"
#include "Scene/Scene.h"

#include "vtkObjectFactory.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMLinearSpringDashpot);

//------------------------------------------------------------------------------
vtkDEMLinearSpringDashpot::vtkDEMLinearSpringDashpot() = default;

//------------------------------------------------------------------------------
vtkDEMLinearSpringDashpot::~vtkDEMLinearSpringDashpot() = default;

//------------------------------------------------------------------------------
void vtkDEMLinearSpringDashpot::Fill(dem::ContactModel& model)
{
  this->Superclass::Fill(model);
  model.law = dem::NormalLaw::LinearSpringDashpot;
  model.collision_time = this->CollisionTime;
  model.normal_stiffness = 0;
  model.stiffness_ratio = this->StiffnessRatio;
  if (this->StiffnessMode == NORMAL_STIFFNESS)
  {
    // A stiffness of 0 is refused, since it makes the solver use the collision time.
    if (!(this->NormalStiffness > 0))
    {
      throw dem::Error(
        "NormalStiffness of the linear spring-dashpot model must be > 0 N/m, but is " +
        vtkDEMArrays::Number(this->NormalStiffness) + ".");
    }
    model.normal_stiffness = this->NormalStiffness;
  }
}

//------------------------------------------------------------------------------
void vtkDEMLinearSpringDashpot::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "StiffnessMode: " << this->StiffnessMode << endl;
  os << indent << "CollisionTime: " << this->CollisionTime << endl;
  os << indent << "NormalStiffness: " << this->NormalStiffness << endl;
  os << indent << "StiffnessRatio: " << this->StiffnessRatio << endl;
}
