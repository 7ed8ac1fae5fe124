#include "vtkDEMInputTimes.h"

#include "vtkDEMArrays.h"

#include "vtkAlgorithm.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cmath>

namespace vtkDEMInputTimes
{

//------------------------------------------------------------------------------
std::vector<double> Read(
  vtkInformation* info, vtkMultiProcessController* controller, bool& continuous)
{
  using SDDP = vtkStreamingDemandDrivenPipeline;
  std::vector<double> times;
  int kind = 0;
  if (info->Has(SDDP::TIME_STEPS()) && info->Length(SDDP::TIME_STEPS()) > 0)
  {
    const double* steps = info->Get(SDDP::TIME_STEPS());
    times.assign(steps, steps + info->Length(SDDP::TIME_STEPS()));
  }
  else if (info->Has(SDDP::TIME_RANGE()))
  {
    const double* range = info->Get(SDDP::TIME_RANGE());
    times = { range[0], range[0] + 0.37 * (range[1] - range[0]), range[1] };
    kind = 1;
  }
  if (controller)
  {
    // All ranks must read the same times.
    int size = static_cast<int>(times.size());
    controller->Broadcast(&size, 1, 0);
    controller->Broadcast(&kind, 1, 0);
    times.resize(static_cast<std::size_t>(size));
    if (size > 0)
    {
      controller->Broadcast(times.data(), size, 0);
    }
  }
  continuous = kind == 1;
  const auto infinite = [](double t) { return !std::isfinite(t); };
  times.erase(std::remove_if(times.begin(), times.end(), infinite), times.end());
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (!continuous)
  {
    const auto after = std::upper_bound(times.begin(), times.end(), 0.0);
    if (after != times.begin())
    {
      times.erase(times.begin(), after - 1);
    }
  }
  return times;
}

//------------------------------------------------------------------------------
void Update(vtkAlgorithm* filter, int port, int connection, double time)
{
  using SDDP = vtkStreamingDemandDrivenPipeline;
  int producerPort = 0;
  vtkAlgorithm* producer = filter->GetInputAlgorithm(port, connection, producerPort);
  vtkNew<vtkInformationVector> requests;
  requests->SetNumberOfInformationObjects(producer->GetNumberOfOutputPorts());
  vtkInformation* request = requests->GetInformationObject(producerPort);
  vtkDEMArrays::RequestOwnPiece(request);
  request->Set(SDDP::UPDATE_TIME_STEP(), time);
  producer->Update(producerPort, requests);
}

} // namespace vtkDEMInputTimes
