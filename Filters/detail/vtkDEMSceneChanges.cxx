#include "vtkDEMSceneChanges.h"

#include "MaterialPoint/MpmCompare.h"
#include "Scene/AutomaticDomain.h"
#include "Scene/Compare.h"
#include "State/Snapshot.h"

#include <cstring>

namespace
{

//------------------------------------------------------------------------------
// NaN equals NaN here: a bad input that ran again is still the same bad input.
template <class T>
bool SameBytes(const std::vector<T>& a, const std::vector<T>& b)
{
  return a.size() == b.size() &&
    (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

//------------------------------------------------------------------------------
// Whether a longer run needs a larger automatic domain.
bool Outgrown(const dem::Scene& a, const dem::Scene& b)
{
  bool larger = false;
  for (int k = 0; k < 3; ++k)
  {
    larger =
      larger || b.domain.lower[k] < a.domain.lower[k] || b.domain.upper[k] > a.domain.upper[k];
  }
  return larger && a.domain.automatic && b.domain.automatic && b.end_time > a.end_time;
}

//------------------------------------------------------------------------------
std::string MovedWallOf(const std::vector<dem::Wall>& before, const std::vector<dem::Wall>& after)
{
  for (std::size_t i = 0; before.size() == after.size() && i < after.size(); ++i)
  {
    if (before[i].points.size() == after[i].points.size() &&
      !SameBytes(before[i].points, after[i].points))
    {
      return after[i].name;
    }
  }
  return {};
}

//------------------------------------------------------------------------------
bool Outgrown(const mpm::Scene&, const mpm::Scene&) { return false; }

//------------------------------------------------------------------------------
template <class SceneT>
vtkDEMSceneChanges Compare(const SceneT& before, const SceneT& after, bool steered)
{
  vtkDEMSceneChanges changes;
  changes.MovedWall = MovedWallOf(before.walls, after.walls);
  changes.Restart = needsNewRun(before, after) || (!steered && Outgrown(before, after));
  if (!changes.Restart)
  {
    changes.Steerable = steeredDifferences(before, after);
  }
  return changes;
}

} // namespace

//------------------------------------------------------------------------------
vtkDEMSceneChanges vtkDEMSceneChanges::Between(
  const dem::Scene& before, const dem::Scene& after, bool steered)
{
  return Compare(before, after, steered);
}

//------------------------------------------------------------------------------
vtkDEMSceneChanges vtkDEMSceneChanges::Between(
  const mpm::Scene& before, const mpm::Scene& after, bool steered)
{
  return Compare(before, after, steered);
}

//------------------------------------------------------------------------------
void vtkDEMSceneChanges::KeepAutomaticDomain(const dem::Scene& before, dem::Scene& after)
{
  if (before.domain.automatic && after.domain.automatic)
  {
    after.domain.lower = before.domain.lower;
    after.domain.upper = before.domain.upper;
  }
}

//------------------------------------------------------------------------------
void vtkDEMSceneChanges::TakeBorders(const std::vector<std::uint8_t>& state, dem::Scene& scene)
{
  dem::takeBorders(state, scene.domain);
}

//------------------------------------------------------------------------------
void vtkDEMSceneChanges::RenewAutomaticDomain(dem::Scene& scene)
{
  if (scene.domain.automatic)
  {
    dem::setAutomaticDomain(scene);
  }
}
