#include "MaterialPoint/MpmSteering.h"

#include "Core/RowCompare.h"
#include "Core/RowRange.h"
#include "Core/RowSteering.h"
#include "MaterialPoint/MpmDescribe.h"
#include "MaterialPoint/MpmValidation.h"
#include "Walls/SteeredWall.h"

#include <utility>

namespace mpm
{
namespace
{

bool isOfMotion(const std::string& property)
{
  dem::Motion motion;
  return !dem::numbersOf(motion, property).empty();
}

} // namespace

bool isOfWall(const std::string& property)
{
  WallContact contact;
  return isOfMotion(property) || !dem::numbersOf(contact, property).empty();
}

std::string steeredProperties()
{
  std::string text;
  dem::addSteeredNames<Scene>(text);
  dem::addSteeredNames<Material>(text);
  dem::addSteeredNames<Domain>(text);
  dem::addSteeredNames<WallContact>(text);
  dem::addSteeredNames<dem::Motion>(text);
  return text;
}

std::vector<double*> steeredNumbers(Scene& s, const dem::Event& event)
{
  if (isOfWall(event.property))
  {
    const std::size_t w = dem::wallOf(event, s.walls);
    if (isOfMotion(event.property))
      return dem::numbersOf(s.walls[w].motion, event.property);
    s.wall_contacts.resize(s.walls.size());
    return dem::numbersOf(s.wall_contacts[w], event.property);
  }
  std::vector<double*> numbers = dem::numbersOf(s, event.property);
  if (numbers.empty())
    numbers = dem::numbersOf(s.domain, event.property);
  if (numbers.empty() && !s.materials.empty())
    numbers = dem::numbersOf(s.materials[0], event.property);
  return numbers;
}

std::size_t steeredSize(const std::string& property)
{
  Scene scene;
  scene.walls.resize(1);
  const std::size_t index = isOfWall(property) ? 1 : 0;
  const std::size_t numbers =
    steeredNumbers(scene, { 0, property, std::vector<double>(index) }).size();
  return numbers ? index + numbers : 0;
}

void applyToScene(Scene& scene, const dem::Event& event)
{
  dem::checkEvent(event, steeredSize(event.property), steeredProperties());
  Scene changed = scene; // the points have been uploaded, so the copy is small
  const std::vector<double*> numbers = steeredNumbers(changed, event);
  if (isOfMotion(event.property))
  {
    const auto w = static_cast<std::size_t>(event.value[0]);
    dem::settleForSpeed(changed.walls[w], w, event.property, event.time);
  }
  const std::size_t index = isOfWall(event.property) ? 1 : 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    *numbers[i] = event.value[index + i];
  validateMaterials(changed);
  const std::string who = dem::eventText(event) + ": ";
  dem::checkRows(changed.domain, who);
  for (const WallContact& contact : changed.wall_contacts)
    dem::checkRows(contact, who);
  scene = std::move(changed);
}

bool sameResponse(const Material& a, const Material& b)
{
  bool same = true;
  dem::forRows<Material>([&](const auto& row) {
    if (row.is_steered)
      same = same && dem::isSameValue(a.*row.member, b.*row.member, dem::Members::All);
  });
  return same;
}

} // namespace mpm
