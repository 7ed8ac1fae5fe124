// Finds the numbers that an event changes, and applies events to a scene.
#include "Scene/Steering.h"

#include "Core/Error.h"
#include "Scene/Describe.h"
#include "Scene/Validate.h"
#include "Scene/detail/Text.h"
#include "Walls/SteeredWall.h"

#include <cmath>
#include <type_traits>

namespace dem
{
namespace
{

// Pointers to the numbers of the steered member with this property; empty if there is none.
template <class Owner>
std::vector<double*> numbersOf(Owner& owner, const std::string& property)
{
  std::vector<double*> numbers;
  forRows<Owner>([&](const auto& row) {
    using Value = typename std::decay_t<decltype(row)>::Value;
    if (!row.is_steered || property != row.property)
      return;
    if constexpr (std::is_same_v<Value, double>)
      numbers = { &(owner.*row.member) };
    else if constexpr (std::is_same_v<Value, Vec3d>)
      numbers = { &(owner.*row.member).x, &(owner.*row.member).y, &(owner.*row.member).z };
  });
  return numbers;
}

template <class Owner>
std::vector<std::string> steeredNames()
{
  std::vector<std::string> names;
  forRows<Owner>([&](const auto& row) {
    if (row.is_steered)
      names.push_back(row.property);
  });
  return names;
}

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
  for (const std::string& name : steeredNames<Scene>())
    text += name + ", ";
  for (const std::string& name : steeredNames<Material>())
    text += name + ", ";
  text += "the same with Wall in front";
  for (const std::string& name : steeredNames<Motion>())
    text += ", " + name;
  return text;
}

std::vector<double*> steeredNumbers(Scene& scene, const Event& event)
{
  if (isOfWall(event.property))
  {
    const double index = event.value.empty() ? -1 : event.value[0];
    if (!(index >= 0 && index < static_cast<double>(scene.walls.size())))
      throw Error("Event '" + event.property + "': wall " + number(index) +
        " is not in the scene; the number of walls is " + std::to_string(scene.walls.size()) + ".");
    return numbersOf(scene.walls[static_cast<std::size_t>(index)].motion, event.property);
  }
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
  const std::string what = "Event '" + event.property + "' at t = " + number(event.time) + " s ";
  const std::size_t size = steeredSize(event.property);
  if (size == 0)
    throw Error("'" + event.property +
      "' cannot be changed while the simulation runs. Known: " + steeredProperties() + ".");
  if (event.value.size() != size)
    throw Error(what + "needs " + std::to_string(size) + " numbers, it has " +
      std::to_string(event.value.size()) + ".");
  for (double v : event.value)
    if (!std::isfinite(v))
      throw Error(what + "has a value that is not finite.");
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
