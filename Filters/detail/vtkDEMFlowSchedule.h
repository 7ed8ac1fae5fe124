/**
 * Chooses the outputs that vtkDEMStatistics requests of its input, so that flow is counted between
 * consecutive outputs, whatever time is shown. Keeps the counts: an output that was counted is not
 * requested again for a later time unless the input may have changed.
 */

#ifndef vtkDEMFlowSchedule_h
#define vtkDEMFlowSchedule_h

#include "Analysis/Grains.h"
#include "Analysis/FlowCounter.h"
#include "Core/Vec.h"

#include "vtkType.h"

#include <string>
#include <vector>

class vtkDEMFlowSchedule
{
public:
  /**
   * Decisions between the passes of one request. Indices count the outputs of the input.
   */
  struct Step
  {
    int Next = 0;       // output that is requested now
    int Goal = 0;       // output that is to be shown
    int First = 0;      // output from which flow is counted
    int Verifying = 0;  // 1: Next is requested to see whether the counts are still valid
    int Continuing = 0; // 1: in the middle of a request
  };

  std::vector<double> Times; // of the outputs in s, ascending; empty: the input does not change
  Step Plan;

  /**
   * Starts a request of `time` without flow.
   */
  void Begin(double time);

  /**
   * Adds to Begin() that flow is counted from `startTime` (s) on. `settings` is all besides the
   * data that the counts depend on; `changedAt` the last change of the pipeline before the input.
   */
  void BeginFlow(double startTime, const std::string& settings, vtkMTimeType changedAt);

  /**
   * Whether the present request counts flow: its time is not before the start of the counts.
   */
  bool Counts() const { return this->Plan.Goal >= this->Plan.First; }

  /**
   * Counts the grains of the requested output, at time `shown` (s). Returns true if
   * another output is needed before the goal can be shown; Plan.Next is that output unless `stop`.
   */
  bool Count(double shown, const dem::Grains& grains, const dem::FlowSurface& surface,
    const dem::Vec3d& period, const dem::GrainExits& exits, bool stop);

  /**
   * The counts up to the time `shown`; empty if there are none.
   */
  dem::FlowRecord Find(double shown) const;

  /**
   * Part of the outputs up to the goal that are counted, 0 to 1.
   */
  double Progress() const;

  /**
   * Rank 0 has the grains and decides; the others follow, since requests are collective.
   */
  void Share();

private:
  double Slack() const;
  int Snapped(double time) const;
  int Uncounted() const;
  void PlanNext();
  bool TimesHold() const;

  dem::FlowCounter Flow;
  std::string Settings;        // that the counts are of
  vtkMTimeType VerifiedAt = 0; // of the input's pipeline when the counts were valid last
};

#endif
