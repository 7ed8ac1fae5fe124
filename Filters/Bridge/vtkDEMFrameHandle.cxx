#include "vtkDEMFrameHandle.h"

#include "vtkCellArray.h"
#include "vtkDataArray.h"
#include "vtkInformation.h"
#include "vtkInformationObjectBaseKey.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMFrameHandle);
vtkInformationKeyMacro(vtkDEMFrameHandle, FRAME, ObjectBase);

//------------------------------------------------------------------------------
void vtkDEMFrameHandle::Mark(
  const std::shared_ptr<const dem::Frame>& frame, vtkPolyData* particles, vtkPolyData* contacts)
{
  vtkNew<vtkDEMFrameHandle> handle;
  handle->Run = frame->run;
  handle->Time = frame->time;
  handle->Frame = frame;
  handle->Corners =
    contacts ? contacts->GetLines()->GetConnectivityArray()->GetVoidPointer(0) : nullptr;
  for (vtkPolyData* data : { particles, contacts })
  {
    if (data)
    {
      data->GetPoints()->GetData()->GetInformation()->Set(FRAME(), handle);
    }
  }
}

//------------------------------------------------------------------------------
vtkDEMFrameHandle* vtkDEMFrameHandle::Of(vtkPolyData* data)
{
  vtkDataArray* places = data && data->GetPoints() ? data->GetPoints()->GetData() : nullptr;
  return places && places->HasInformation()
    ? vtkDEMFrameHandle::SafeDownCast(places->GetInformation()->Get(FRAME()))
    : nullptr;
}

//------------------------------------------------------------------------------
void vtkDEMFrameHandle::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Run: " << this->Run << endl;
  os << indent << "Time: " << this->Time << endl;
}
