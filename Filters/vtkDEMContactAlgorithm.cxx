#include "vtkDEMContactAlgorithm.h"

#include "Bridge/vtkDEMContactInput.h"
#include "Bridge/vtkDEMGrainInput.h"
#include "Bridge/vtkDEMRankInput.h"

#include "vtkInformation.h"
#include "vtkPointSet.h"
#include "vtkPolyData.h"

//------------------------------------------------------------------------------
vtkDEMContactAlgorithm::vtkDEMContactAlgorithm() { this->SetNumberOfInputPorts(2); }

//------------------------------------------------------------------------------
vtkDEMContactAlgorithm::~vtkDEMContactAlgorithm() = default;

//------------------------------------------------------------------------------
void vtkDEMContactAlgorithm::SetRadiusArray(const char* name)
{
  const std::string wanted = vtkDEMGrainInput::GetChosenArray(name);
  if (this->RadiusArray != wanted)
  {
    this->RadiusArray = wanted;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMContactAlgorithm::GetRadiusArray() const { return this->RadiusArray.c_str(); }

//------------------------------------------------------------------------------
int vtkDEMContactAlgorithm::FillInputPortInformation(int port, vtkInformation* info)
{
  if (port == INPUT_PARTICLES)
  {
    vtkDEMGrainInput::SetPointsRequired(info);
  }
  else
  {
    vtkDEMGrainInput::SetContactsRequired(info);
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  }
  return 1;
}

//------------------------------------------------------------------------------
vtkDEMContactAlgorithm::Inputs vtkDEMContactAlgorithm::ReadInputs(
  vtkInformationVector** inputVector)
{
  Inputs inputs;
  inputs.Particles = vtkDEMGrainInput::GetPoints(inputVector[INPUT_PARTICLES]);
  inputs.Contacts = vtkDEMGrainInput::GetLines(inputVector[INPUT_CONTACTS]);
  if (!inputs.Contacts)
  {
    inputs.Contacts = vtkDEMContactInput::Find(this, INPUT_PARTICLES, inputs.Particles);
  }
  vtkDEMRankInput::Gather(inputs.Particles, inputs.Contacts);
  return inputs;
}

//------------------------------------------------------------------------------
void vtkDEMContactAlgorithm::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "RadiusArray: " << this->RadiusArray << endl;
  os << indent << "Device: " << this->Device << endl;
}
