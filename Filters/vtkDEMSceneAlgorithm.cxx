#include "vtkDEMSceneAlgorithm.h"

#include "Bridge/vtkDEMArrays.h"
#include "detail/vtkDEMSetSceneMacro.h"

#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArraySelection.h"
#include "vtkDataObject.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkSmartPointer.h"

#include <algorithm>

namespace
{

//------------------------------------------------------------------------------
// The newest change of the data on the first `ports` input ports, including blocks.
vtkMTimeType GetInputMTime(vtkInformationVector** inputVector, int ports)
{
  vtkMTimeType time = 0;
  for (int port = 0; port < ports; ++port)
  {
    for (int i = 0; i < inputVector[port]->GetNumberOfInformationObjects(); ++i)
    {
      vtkDataObject* input = vtkDataObject::GetData(inputVector[port], i);
      time = std::max(time, input ? input->GetMTime() : 0);
      if (auto* blocks = vtkCompositeDataSet::SafeDownCast(input))
      {
        vtkSmartPointer<vtkCompositeDataIterator> leaf;
        leaf.TakeReference(blocks->NewIterator());
        for (leaf->InitTraversal(); !leaf->IsDoneWithTraversal(); leaf->GoToNextItem())
        {
          time = std::max(time, leaf->GetCurrentDataObject()->GetMTime());
        }
      }
    }
  }
  return time;
}

} // namespace

//------------------------------------------------------------------------------
vtkDEMSceneAlgorithm::vtkDEMSceneAlgorithm() = default;

//------------------------------------------------------------------------------
vtkDEMSceneAlgorithm::~vtkDEMSceneAlgorithm() = default;

//------------------------------------------------------------------------------
vtkDEMSetSceneMacro(vtkDEMSceneAlgorithm, TimeStep, double);
vtkDEMSetSceneMacro(vtkDEMSceneAlgorithm, EndTime, double);
vtkDEMSetSceneMacro(vtkDEMSceneAlgorithm, OutputInterval, double);
vtkDEMSetSceneMacro(vtkDEMSceneAlgorithm, AutomaticDomain, bool);

//------------------------------------------------------------------------------
void vtkDEMSceneAlgorithm::SetGravity(double x, double y, double z)
{
  this->SetSceneValues(this->Gravity, { x, y, z });
}

//------------------------------------------------------------------------------
void vtkDEMSceneAlgorithm::SetDomain(
  double xMin, double xMax, double yMin, double yMax, double zMin, double zMax)
{
  this->SetSceneValues(this->Domain, { xMin, xMax, yMin, yMax, zMin, zMax });
}

//------------------------------------------------------------------------------
void vtkDEMSceneAlgorithm::RemoveAllParticleInputs()
{
  this->RemoveAllInputConnections(INPUT_PARTICLES);
}

//------------------------------------------------------------------------------
void vtkDEMSceneAlgorithm::RemoveAllWallInputs() { this->RemoveAllInputConnections(INPUT_WALLS); }

//------------------------------------------------------------------------------
vtkMTimeType vtkDEMSceneAlgorithm::GetMTime()
{
  return std::max(this->Superclass::GetMTime(), this->GetModelMTime());
}

//------------------------------------------------------------------------------
vtkMTimeType vtkDEMSceneAlgorithm::GetSceneMTime(vtkInformationVector** inputVector)
{
  return std::max({ this->Superclass::GetSceneMTime(inputVector), this->GetModelMTime(),
    GetInputMTime(inputVector, this->GetNumberOfInputPorts()) });
}

//------------------------------------------------------------------------------
void vtkDEMSceneAlgorithm::ReadTimes(double& endTime, double& outputInterval)
{
  endTime = this->EndTime;
  outputInterval = this->OutputInterval;
}

//------------------------------------------------------------------------------
int vtkDEMSceneAlgorithm::FillInputPortInformation(int port, vtkInformation* info)
{
  switch (port)
  {
    case INPUT_PARTICLES:
      vtkDEMArrays::RequireBlocksOf(info, "vtkPointSet");
      info->Set(vtkAlgorithm::INPUT_IS_REPEATABLE(), 1);
      return 1;
    case INPUT_WALLS:
      vtkDEMArrays::RequireBlocksOf(info, "vtkPolyData");
      info->Set(vtkAlgorithm::INPUT_IS_REPEATABLE(), 1);
      info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
      return 1;
    default:
      info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkTable");
      info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
      return 1;
  }
}

//------------------------------------------------------------------------------
void vtkDEMSceneAlgorithm::EnableArray(vtkDataArraySelection* arrays, const char* name, int status)
{
  if (arrays->ArrayExists(name) && arrays->ArrayIsEnabled(name) != (status != 0))
  {
    arrays->SetArraySetting(name, status);
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMSceneAlgorithm::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "TimeStep: " << this->TimeStep << endl;
  os << indent << "EndTime: " << this->EndTime << endl;
  os << indent << "OutputInterval: " << this->OutputInterval << endl;
  os << indent << "Gravity: " << this->Gravity[0] << " " << this->Gravity[1] << " "
     << this->Gravity[2] << endl;
  os << indent << "AutomaticDomain: " << this->AutomaticDomain << endl;
  os << indent << "Domain:";
  for (double border : this->Domain)
  {
    os << " " << border;
  }
  os << endl;
}
