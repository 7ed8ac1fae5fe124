/**
 * What differs between two scenes: nothing, things that can be steered while the run goes on, or
 * more.
 */

#ifndef vtkDEMSceneChanges_h
#define vtkDEMSceneChanges_h

#include "MaterialPoint/MpmScene.h"
#include "Scene/Scene.h"

#include <cstdint>
#include <string>
#include <vector>

struct vtkDEMSceneChanges
{
  /**
   * Something differs that needs a new run.
   */
  bool Restart = false;

  /**
   * The differences that can be steered, by the names and with the numbers of dem::Event (its time
   * is not set).
   */
  std::vector<dem::Event> Steerable;

  /**
   * The name of a wall whose points have moved; empty if there is none. It needs a new run.
   */
  std::string MovedWall;

  bool Any() const { return this->Restart || !this->Steerable.empty(); }

  /**
   * Compares by value, so that an input which ran again with the same result changes nothing. Other
   * events, as of a wall that is a time series, need a new run. So does a longer run whose
   * automatic domain would be larger, unless it was `steered`: that would lose its changes.
   */
  static vtkDEMSceneChanges Between(
    const dem::Scene& before, const dem::Scene& after, bool steered);
  static vtkDEMSceneChanges Between(
    const mpm::Scene& before, const mpm::Scene& after, bool steered);

  ///@{
  /**
   * An automatic domain belongs to the run: one that goes on keeps the borders of its beginning,
   * one that was steered begins again with those of its values at the start, and one that starts
   * from a saved state has those of the state. Nothing for scenes without such a domain.
   */
  static void KeepAutomaticDomain(const dem::Scene& before, dem::Scene& after);
  static void KeepAutomaticDomain(const mpm::Scene&, mpm::Scene&) {}
  static void RenewAutomaticDomain(dem::Scene& scene);
  static void RenewAutomaticDomain(mpm::Scene&) {}
  static void TakeBorders(const std::vector<std::uint8_t>& state, dem::Scene& scene);
  static void TakeBorders(const std::vector<std::uint8_t>&, mpm::Scene&) {}
  ///@}
};

#endif
