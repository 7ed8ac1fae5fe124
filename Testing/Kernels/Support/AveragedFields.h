// Fields of averages by name, and a call that fills them.
#pragma once

#include "Analysis/CellAverage.h"
#include "Analysis/CoarseGraining.h"

#include "FirstDifference.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace test
{

struct AveragedFields
{
  std::vector<dem::AveragedField> info;
  std::vector<std::vector<double>> values;

  const std::vector<double>& operator[](const std::string& name) const
  {
    for (std::size_t k = 0; k < info.size(); ++k)
    {
      if (info[k].name == name)
      {
        return values[k];
      }
    }
    ADD_FAILURE() << "no field " << name;
    return values[0];
  }
};

/// `Fields` has a pointer for each field; `compute` fills what they point to, `places` values of
/// each component.
template <class Fields, class Info, class Compute>
AveragedFields computedFields(const Info& info, std::size_t places, const Compute& compute)
{
  AveragedFields a;
  a.info.assign(info.begin(), info.end());
  Fields fields;
  const auto pointers = dem::pointersOf(fields);
  for (const auto& field : a.info)
  {
    a.values.emplace_back(places * field.components, -77); // what is left out shows
  }
  for (std::size_t k = 0; k < a.values.size(); ++k)
  {
    *pointers[k] = a.values[k].data();
  }
  compute(fields);
  return a;
}

inline AveragedFields cellAverages(dem::CellAverage& engine, const dem::Grains& grains,
  const dem::GrainContacts& contacts, const dem::CellGrid& grid,
  const dem::CellAverageOptions& options = {})
{
  return computedFields<dem::CellAverageFields>(dem::cellAverageFields(options.species),
    grid.cells(), [&](const dem::CellAverageFields& fields) {
      engine.compute(grains, &contacts, grid, options, fields);
    });
}

/// `points`: 3 coordinates each.
inline AveragedFields coarseGrained(dem::CoarseGraining& engine, const dem::Grains& grains,
  const dem::GrainContacts& contacts, const std::vector<double>& points,
  const dem::CoarseGrainingOptions& options)
{
  return computedFields<dem::CoarseGrainedFields>(
    dem::coarseGrainedFields(), points.size() / 3, [&](const dem::CoarseGrainedFields& fields) {
      engine.compute(grains, &contacts, points.data(), points.size() / 3, options, fields);
    });
}

/// Both have the same bits.
inline void expectSameFields(const AveragedFields& a, const AveragedFields& b)
{
  ASSERT_EQ(a.values.size(), b.values.size());
  FirstDifference difference;
  for (std::size_t k = 0; k < a.values.size(); ++k)
  {
    difference.array(a.info[k].name, a.values[k], b.values[k]);
  }
  EXPECT_EQ(difference.text(), "");
}

} // namespace test
