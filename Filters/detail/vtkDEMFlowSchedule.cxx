#include "vtkDEMFlowSchedule.h"

#include "Bridge/vtkDEMArrays.h"

#include "vtkMultiProcessController.h"

#include <algorithm>
#include <cmath>

//------------------------------------------------------------------------------
double vtkDEMFlowSchedule::Slack() const
{
  return this->Times.empty()
    ? 0
    : 1e-9 * std::max(std::fabs(this->Times.front()), std::fabs(this->Times.back()));
}

//------------------------------------------------------------------------------
// The last output at or before `time`.
int vtkDEMFlowSchedule::Snapped(double time) const
{
  const auto after = std::upper_bound(this->Times.begin(), this->Times.end(), time + this->Slack());
  return std::max(0, static_cast<int>(after - this->Times.begin()) - 1);
}

//------------------------------------------------------------------------------
// The output after the last one counted.
int vtkDEMFlowSchedule::Uncounted() const
{
  return this->Plan.First + static_cast<int>(this->Flow.records().size());
}

//------------------------------------------------------------------------------
void vtkDEMFlowSchedule::PlanNext()
{
  this->Plan.Verifying = 0;
  this->Plan.Next = this->Counts() ? std::min(this->Plan.Goal, this->Uncounted()) : this->Plan.Goal;
}

//------------------------------------------------------------------------------
// Whether the outputs that were counted still have the same times.
bool vtkDEMFlowSchedule::TimesHold() const
{
  const auto& records = this->Flow.records();
  for (std::size_t i = 0; i < records.size(); ++i)
  {
    const std::size_t at = static_cast<std::size_t>(this->Plan.First) + i;
    if (at >= this->Times.size() || this->Times[at] != records[i].time)
    {
      return false;
    }
  }
  return true;
}

//------------------------------------------------------------------------------
void vtkDEMFlowSchedule::Begin(double time)
{
  this->Plan = Step{};
  this->Plan.Goal = this->Plan.Next = this->Snapped(time);
}

//------------------------------------------------------------------------------
void vtkDEMFlowSchedule::BeginFlow(
  double startTime, const std::string& settings, vtkMTimeType changedAt)
{
  this->Plan.First = static_cast<int>(
    std::lower_bound(this->Times.begin(), this->Times.end(), startTime - this->Slack()) -
    this->Times.begin());
  if (settings != this->Settings || !this->TimesHold())
  {
    this->Flow.reset();
    this->Settings = settings;
  }
  this->PlanNext();
  if (changedAt != this->VerifiedAt && !this->Flow.records().empty() && this->Counts())
  {
    this->Plan.Verifying = 1;
    this->Plan.Next = this->Uncounted() - 1;
  }
  this->VerifiedAt = changedAt;
}

//------------------------------------------------------------------------------
bool vtkDEMFlowSchedule::Count(double shown, const dem::Grains& grains,
  const dem::FlowSurface& surface, const dem::Vec3d& period, const dem::GrainExits& exits,
  bool stop)
{
  const Step& plan = this->Plan;
  const auto& records = this->Flow.records();
  const double wanted =
    this->Times.empty() ? shown : this->Times[static_cast<std::size_t>(plan.Next)];
  const bool reached = shown >= wanted - this->Slack();
  const bool known = plan.Next < this->Uncounted();
  bool more = false;
  if (known && reached &&
    records[static_cast<std::size_t>(plan.Next - plan.First)].fingerprint !=
      dem::FlowCounter::fingerprint(grains, surface, exits))
  {
    // The input differs from what was counted.
    this->Flow.reset();
    more = plan.Next != plan.First;
  }
  if (!more && reached && plan.Next == this->Uncounted())
  {
    this->Flow.add(wanted, grains, surface, period, exits);
  }
  more = (more || (reached && plan.Next != plan.Goal)) && !stop;
  if (more)
  {
    this->PlanNext();
  }
  return more;
}

//------------------------------------------------------------------------------
dem::FlowRecord vtkDEMFlowSchedule::Find(double shown) const
{
  const dem::FlowRecord* record = this->Flow.find(shown + this->Slack());
  return record ? *record : dem::FlowRecord{};
}

//------------------------------------------------------------------------------
double vtkDEMFlowSchedule::Progress() const
{
  return (this->Plan.Next - this->Plan.First) /
    std::max(1.0, double(this->Plan.Goal - this->Plan.First));
}

//------------------------------------------------------------------------------
void vtkDEMFlowSchedule::Share()
{
  if (auto* controller = vtkDEMArrays::GetParallelController())
  {
    int values[5] = { this->Plan.Next, this->Plan.Goal, this->Plan.First, this->Plan.Verifying,
      this->Plan.Continuing };
    controller->Broadcast(values, 5, 0);
    this->Plan = { values[0], values[1], values[2], values[3], values[4] };
  }
}
