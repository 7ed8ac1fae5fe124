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

#include "MaterialPoint/MpmScene.h"
#include "Scene/Scene.h"

#include <cstddef>
#include <functional>
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
   * Changes of `scene`, which tells what can change. Throws dem::Error with the line that it does
   * not understand.
   */
  static vtkDEMSteering FromText(const std::string& text, const dem::Scene& scene);
  static vtkDEMSteering FromText(const std::string& text, const mpm::Scene& scene);

  /**
   * Remembers the value that `scene` has for what `event` changes, unless there is one already.
   */
  template <class SceneT>
  void Begin(const SceneT& scene, const dem::Event& event)
  {
    // Numbers() is for reading and for writing; here it reads.
    this->Begin(event, [&] { return Numbers(const_cast<SceneT&>(scene), event); });
  }

  /**
   * Takes an event into the order of times; of two for the same thing at one time the later holds.
   */
  void Add(const dem::Event& event);

  /**
   * Gives `scene` the values at the start. Throws dem::Error for what the scene has not.
   */
  template <class SceneT>
  void ApplyStart(SceneT& scene) const
  {
    for (const dem::Event& event : this->Start)
    {
      Assign(event, Numbers(scene, event));
    }
  }

private:
  using NumbersT = std::vector<double*>;

  // The numbers of the scene that an event changes. A wall's index stands before them in the event.
  static NumbersT Numbers(dem::Scene& scene, const dem::Event& event);
  static NumbersT Numbers(mpm::Scene& scene, const dem::Event& event);
  static void Assign(const dem::Event& event, const NumbersT& numbers);
  void Begin(const dem::Event& event, const std::function<NumbersT()>& numbers);
  static vtkDEMSteering Read(const std::string& text,
    const std::function<std::size_t(const std::string& property)>& size, const char* known);
};

#endif
