/**
 * The update of a run's ports that an abort has interrupted.
 */

#ifndef vtkDEMInterruption_h
#define vtkDEMInterruption_h

#include <set>

/**
 * ParaView updates one port after another. If an abort stops the first, the rest of this update
 * must not go on: it gets what the first got. A port that asks again, or another time, does go on.
 */
class vtkDEMInterruption
{
public:
  /**
   * Whether a request of `port` at `time` (s) belongs to the rest of an interrupted update.
   * Otherwise it begins a new one.
   */
  bool IsRest(int port, double time)
  {
    if (this->On && time == this->Time && this->Ports.insert(port).second)
    {
      return true;
    }
    this->On = false;
    this->Time = time;
    this->Ports = { port };
    return false;
  }
  void Set(bool on) { this->On = on; }
  bool IsOn() const { return this->On; }

private:
  bool On = false;
  double Time = 0;
  std::set<int> Ports; // that have asked in this update
};

#endif
