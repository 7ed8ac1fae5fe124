// Changes of single members of a scene, for tests of its rows.
#pragma once

#include "Core/Event.h"
#include "Core/Row.h"
#include "Core/Vec.h"
#include "Fluid/FluidField.h"
#include "Shapes/Shape.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace test
{

// Another value of any member.
template <class T>
void change(T& value)
{
  if constexpr (std::is_same_v<T, bool>)
    value = !value;
  else if constexpr (std::is_enum_v<T>)
    value = static_cast<T>(static_cast<int>(value) == 0 ? 1 : 0);
  else if constexpr (std::is_floating_point_v<T>)
    value = value == 0 ? 0.75 : 0.75 * value;
  else if constexpr (std::is_integral_v<T>)
    value += 1;
  else if constexpr (std::is_same_v<T, std::string>)
    value += "x";
  else if constexpr (std::is_same_v<T, dem::Vec3d>)
    value.y += 1;
  else if constexpr (std::is_same_v<T, std::optional<double>>)
    value = value ? *value / 2 : 0.25;
  else if constexpr (std::is_same_v<T, dem::Event>)
    value.time += 1;
  else if constexpr (std::is_same_v<T, dem::Quaternion<double>>)
    value.w += 1;
  else if constexpr (std::is_same_v<T, dem::Shape>)
    value.name += "x";
  else if constexpr (std::is_same_v<T, std::vector<bool>>)
    value.push_back(true);
  else if constexpr (std::is_same_v<T, std::shared_ptr<const dem::FluidField>>)
    value = std::make_shared<dem::FluidField>();
  else
    change(value[0]); // vectors and arrays
}

template <class T>
struct IsListOfDescribed : std::false_type
{
};
template <class T>
struct IsListOfDescribed<std::vector<T>> : dem::IsDescribed<T>
{
};

// Calls visit(row, scene with that member changed) for each row of the struct that `of` returns.
// `scene` makes a scene.
template <class Owner, class MakeScene, class Of, class Visit>
void forMembers(const MakeScene& scene, const Of& of, const Visit& visit)
{
  dem::forRows<Owner>([&](const auto& row) {
    using Value = typename std::decay_t<decltype(row)>::Value;
    // members of members have rows of their own
    if constexpr (!dem::IsDescribed<Value>::value && !IsListOfDescribed<Value>::value)
    {
      auto s = scene();
      Owner& owner = of(s);
      SCOPED_TRACE(std::string("key '") + row.key + "', property '" + row.property + "'");
      change(owner.*row.member);
      visit(row, s);
    }
  });
}

} // namespace test
