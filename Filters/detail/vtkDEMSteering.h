/**
 * The changes of a run under way, as data and as text: the values that the changed properties began
 * with, and the events since. Text, one a line, as `SteeringEvents` has it:
 *
 *     start Gravity 0 0 -9.81
 *     0.05 Gravity 3 0 -9.81
 *
 * that is `start` or the time in s, the name of a dem::Event's property, its numbers. Numbers are
 * written such that reading them gives the same bits.
 */

#ifndef vtkDEMSteering_h
#define vtkDEMSteering_h

#include "Solver/Scene.h"

#include <string>
#include <vector>

struct vtkDEMSteering
{
  std::vector<dem::Event> Start;  ///< one for each thing that changes; time 0
  std::vector<dem::Event> Events; ///< ascending in time

  bool operator==(const vtkDEMSteering& other) const
  {
    return this->Start == other.Start && this->Events == other.Events;
  }

  std::string ToText() const;

  /**
   * Throws dem::Error with the line that it does not understand.
   */
  static vtkDEMSteering FromText(const std::string& text);

  /**
   * Remembers the value that `scene` has for what `event` changes, unless there is one already.
   */
  void Begin(const dem::Scene& scene, const dem::Event& event);

  /**
   * Takes an event into the order of times; of two for the same thing at one time the later holds.
   */
  void Add(const dem::Event& event);

  /**
   * Gives `scene` the values at the start. Throws dem::Error for what the scene has not.
   */
  void ApplyStart(dem::Scene& scene) const;
};

#endif
