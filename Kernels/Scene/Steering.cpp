// Finds the numbers that an event changes, and applies events to a scene.
#include "Scene/Steering.h"

#include "Core/Error.h"
#include "Core/RowSteering.h"
#include "Scene/Describe.h"
#include "Scene/Validate.h"
#include "Walls/SteeredWall.h"

namespace dem
{
namespace
{

// Index of the material that an event changes. Removes the prefix `Wall` from the property.
std::size_t materialOf(std::string& property)
{
  if (property.compare(0, 4, "Wall") != 0)
    return 0;
  property.erase(0, 4);
  return 1;
}

} // namespace

bool isOfWall(const std::string& property)
{
  Motion motion;
  return !numbersOf(motion, property).empty();
}

std::string steeredProperties()
{
  std::string text;
  addSteeredNames<Scene>(text);
  addSteeredNames<Material>(text);
  text += ", the same with Wall in front";
  addSteeredNames<Motion>(text);
  return text;
}

std::vector<double*> steeredNumbers(Scene& scene, const Event& event)
{
  if (isOfWall(event.property))
    return numbersOf(scene.walls[wallOf(event, scene.walls)].motion, event.property);
  std::string property = event.property;
  const std::size_t material = materialOf(property);
  if (material == 0)
    if (std::vector<double*> numbers = numbersOf(scene, property); !numbers.empty())
      return numbers;
  return material < scene.materials.size() ? numbersOf(scene.materials[material], property)
                                           : std::vector<double*>{};
}

std::size_t steeredSize(const std::string& property)
{
  Scene scene;
  scene.materials.resize(2);
  scene.walls.resize(1);
  const std::size_t index = isOfWall(property) ? 1 : 0;
  const std::size_t numbers =
    steeredNumbers(scene, { 0, property, std::vector<double>(index) }).size();
  return numbers ? index + numbers : 0;
}

void applyToScene(Scene& scene, const Event& event)
{
  checkEvent(event, steeredSize(event.property), steeredProperties());
  const std::vector<double*> numbers = steeredNumbers(scene, event);
  if (numbers.empty())
    throw Error("Event '" + event.property + "': the scene has no material 1 for walls.");
  const bool of_wall = isOfWall(event.property);
  if (of_wall)
  {
    const auto wall = static_cast<std::size_t>(event.value[0]);
    settleForSpeed(scene.walls[wall], wall, event.property, event.time);
  }

  const std::vector<Material> before = scene.materials;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    *numbers[k] = event.value[(of_wall ? 1 : 0) + k];
  try
  {
    for (std::size_t m = 0; m < scene.materials.size() && m < 2; ++m)
      validateMaterial(scene.materials[m], m);
  }
  catch (...)
  {
    scene.materials = before;
    throw;
  }
}

} // namespace dem
