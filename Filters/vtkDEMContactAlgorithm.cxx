#include "vtkDEMContactAlgorithm.h"

#include "Bridge/vtkDEMGrainInput.h"

#include "vtkInformation.h"
#include "vtkPointSet.h"
#include "vtkPolyData.h"

//------------------------------------------------------------------------------
vtkDEMContactAlgorithm::vtkDEMContactAlgorithm()
{
  this->SetNumberOfInputPorts(2);
}

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
const char* vtkDEMContactAlgorithm::GetRadiusArray() const
{
  return this->RadiusArray.c_str();
}

//------------------------------------------------------------------------------
int vtkDEMContactAlgorithm::FillInputPortInformation(int port, vtkInformation* info)
{
  if (port == INPUT_PARTICLES)
  {
    info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPointSet");
  }
  else
  {
    info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPolyData");
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  }
  return 1;
}

//------------------------------------------------------------------------------
vtkPolyData* vtkDEMContactAlgorithm::GetKnownContacts(
  vtkInformationVector** inputVector, vtkPointSet* particles)
{
  vtkPolyData* given = vtkPolyData::GetData(inputVector[INPUT_CONTACTS], 0);
  return given ? given : vtkDEMGrainInput::FindContacts(this, INPUT_PARTICLES, particles);
}

//------------------------------------------------------------------------------
void vtkDEMContactAlgorithm::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "RadiusArray: " << this->RadiusArray << endl;
  os << indent << "Device: " << this->Device << endl;
}
