// Any bytes as the text of SteeringEvents, of a DEM and of an MPM scene: its events are written and
// read again without a change, and change a scene or are refused by dem::Error.
#include "vtkDEMSteering.h"

#include "Core/Error.h"
#include "MaterialPoint/MpmSteering.h"
#include "Scene/Steering.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace
{

template <class Scene, class Apply>
void trySteering(const std::string& text, Scene scene, const Apply& apply)
{
  vtkDEMSteering steering;
  try
  {
    steering = vtkDEMSteering::FromText(text, scene);
  }
  catch (const dem::Error&)
  {
    return;
  }
  if (!(vtkDEMSteering::FromText(steering.ToText(), scene) == steering))
  {
    std::abort();
  }
  try
  {
    steering.ApplyStart(scene);
    for (const dem::Event& event : steering.Events)
    {
      vtkDEMSteering().Begin(scene, event);
      apply(scene, event);
    }
  }
  catch (const dem::Error&)
  {
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const std::string text(reinterpret_cast<const char*>(data), size);
  dem::Wall plate;
  plate.points = { { -1, -1, 0 }, { 1, -1, 0 }, { 0, 1, 0 } };
  plate.triangles = { { 0, 1, 2 } };

  plate.motion.kind = dem::MotionKind::Translation;
  dem::Wall drum = plate;
  drum.motion.kind = dem::MotionKind::Rotation;

  dem::Scene grains;
  grains.materials.resize(2);
  grains.walls = { plate, drum };
  trySteering(text, grains, [](dem::Scene& s, const dem::Event& e) { dem::applyToScene(s, e); });

  mpm::Scene continuum;
  continuum.walls = { plate, drum };
  trySteering(text, continuum, [](mpm::Scene& s, const dem::Event& e) { mpm::applyToScene(s, e); });
  return 0;
}
