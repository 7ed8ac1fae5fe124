/**
 * Steering events of a run as data and as text: the initial values of the changed properties, and
 * the events since. The text is that of the property `SteeringEvents`, with one event a line:
 *
 *     start Gravity 0 0 -9.81
 *     0.05 Gravity 3 0 -9.81
 *
 * A line has `start` or the time in s, the name of the property of a dem::Event, and its numbers.
 * Reading the written numbers gives the same bits.
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
  std::vector<dem::Event> Start;  ///< initial value of each changed property; time 0
  std::vector<dem::Event> Events; ///< ascending in time

  bool operator==(const vtkDEMSteering& other) const
  {
    return this->Start == other.Start && this->Events == other.Events;
  }

  std::string ToText() const;

  /**
   * Parses `text` for `scene`, whose walls and materials the events may name. Throws dem::Error,
   * which quotes the line that is invalid.
   */
  static vtkDEMSteering FromText(const std::string& text, const dem::Scene& scene);
  static vtkDEMSteering FromText(const std::string& text, const mpm::Scene& scene);

  /**
   * Adds the value of `scene` for the property of `event` to Start, unless Start has it.
   */
  template <class SceneT>
  void Begin(const SceneT& scene, const dem::Event& event)
  {
    // Numbers() serves reading and writing; this call only reads.
    this->Begin(event, [&] { return Numbers(const_cast<SceneT&>(scene), event); });
  }

  /**
   * Inserts an event by its time. It replaces an event of the same property at the same time.
   */
  void Add(const dem::Event& event);

  /**
   * Sets the initial values in `scene`. Throws dem::Error if the scene does not have such a
   * property.
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

  // Pointers to the numbers of the scene that an event changes. In events of walls the index of the
  // wall precedes them.
  static NumbersT Numbers(dem::Scene& scene, const dem::Event& event);
  static NumbersT Numbers(mpm::Scene& scene, const dem::Event& event);
  static void Assign(const dem::Event& event, const NumbersT& numbers);
  void Begin(const dem::Event& event, const std::function<NumbersT()>& numbers);
  static vtkDEMSteering Read(const std::string& text,
    const std::function<std::size_t(const std::string& property)>& size, const char* known);
};

#endif
