#include "Analysis/DumpGrains.h"

#include "Analysis/detail/DumpText.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace dem
{
namespace
{

using detail::failAtLine;
using detail::shownWord;

constexpr double kPi = 3.14159265358979323846;

template <class T>
void reorder(std::vector<T>& values, const std::vector<std::size_t>& order)
{
  if (values.empty())
  {
    return;
  }
  const std::size_t width = values.size() / order.size();
  std::vector<T> sorted(values.size());
  for (std::size_t i = 0; i < order.size(); ++i)
  {
    for (std::size_t k = 0; k < width; ++k)
    {
      sorted[width * i + k] = std::move(values[width * order[i] + k]);
    }
  }
  values.swap(sorted);
}

/// Makes grains from the columns of a frame. Columns that become members of DumpGrains are taken;
/// the rest goes to DumpGrains::others.
class GrainsFromColumns
{
public:
  GrainsFromColumns(
    std::vector<DumpColumn>&& columns, const DumpFrame& frame, const std::string& label)
    : columns_(std::move(columns))
    , frame_(frame)
    , label_(label)
    , taken_(columns_.size(), false)
    , size_(static_cast<std::size_t>(frame.size))
  {
    grains_.size = size_;
  }

  DumpGrains make(double constant_radius)
  {
    takePositions();
    takeIds();
    takeRadii(constant_radius);
    takeMasses();
    grains_.velocity = takeTuples({ "vx", "vy", "vz" });
    grains_.angular_velocity = takeTuples({ "omegax", "omegay", "omegaz" });
    grains_.force = takeTuples({ "fx", "fy", "fz" });
    grains_.torque = takeTuples({ "tqx", "tqy", "tqz" });
    grains_.orientation = takeTuples({ "quatw", "quati", "quatj", "quatk" });
    if (!grains_.orientation)
    {
      grains_.orientation = takeTuples({ "quat1", "quat2", "quat3", "quat4" });
    }
    readMaterials();
    keepOthers();
    sortById();
    return std::move(grains_);
  }

private:
  /// The box itself, of which the file gives the bounds (LAMMPS documentation, "Howto triclinic").
  struct Box
  {
    Vec3d lower, upper;

    explicit Box(const DumpFrame& frame)
    {
      const Vec3d& tilt = frame.tilt;
      lower = { frame.lower.x - std::min({ 0., tilt.x, tilt.y, tilt.x + tilt.y }),
        frame.lower.y - std::min(0., tilt.z), frame.lower.z };
      upper = { frame.upper.x - std::max({ 0., tilt.x, tilt.y, tilt.x + tilt.y }),
        frame.upper.y - std::max(0., tilt.z), frame.upper.z };
    }
  };

  /// The column of numbers with this name, or null.
  const DumpColumn* find(const std::string& name) const
  {
    for (const DumpColumn& column : columns_)
    {
      if (column.name == name && !column.isText())
      {
        return &column;
      }
    }
    return nullptr;
  }

  /// The same; its values are finite, and it is not among the others. Throws dem::Error, which
  /// names the row, for nan and inf.
  const DumpColumn* take(const std::string& name)
  {
    const DumpColumn* column = find(name);
    if (column)
    {
      requireFinite(*column);
      taken_[static_cast<std::size_t>(column - columns_.data())] = true;
    }
    return column;
  }

  /// Takes one column per component of a vector; empty if one is missing.
  DumpGrains::Values takeTuples(const std::vector<std::string>& names)
  {
    for (const std::string& name : names)
    {
      if (!find(name))
      {
        return std::nullopt;
      }
    }
    std::vector<double> out(names.size() * size_);
    for (std::size_t k = 0; k < names.size(); ++k)
    {
      const DumpColumn* column = take(names[k]);
      for (std::size_t i = 0; i < size_; ++i)
      {
        out[names.size() * i + k] = column->numbers[i];
      }
    }
    return out;
  }

  void requireFinite(const DumpColumn& column) const
  {
    for (std::size_t i = 0; i < column.numbers.size(); ++i)
    {
      if (!std::isfinite(column.numbers[i]))
      {
        failAtLine(label_, line(i),
          "the value of column '" + shownWord(column.name) + "' is not finite: '" +
            (std::isnan(column.numbers[i]) ? "nan" : "inf") +
            "'. Leave out the frames from where the run had failed.");
      }
    }
  }

  void takePositions()
  {
    const Box box(frame_);
    grains_.position.resize(3 * size_);
    bool scaled[3] = {};
    for (int axis = 0; axis < 3; ++axis)
    {
      const std::string letter(1, static_cast<char>('x' + axis));
      const DumpColumn& column = takeCoordinate(letter, scaled[axis]);
      const double from = scaled[axis] ? box.lower[axis] : 0,
                   factor = scaled[axis] ? box.upper[axis] - box.lower[axis] : 1;
      for (std::size_t i = 0; i < size_; ++i)
      {
        double& x = grains_.position[3 * i + axis];
        x = from + factor * column.numbers[i];
        if (!std::isfinite(x))
        {
          failAtLine(
            label_, line(i), "the position along " + letter + " is outside the range of numbers.");
        }
      }
    }
    if (frame_.isSheared() && (scaled[0] || scaled[1] || scaled[2]))
    {
      if (!(scaled[0] && scaled[1] && scaled[2]))
      {
        failAtLine(label_, frame_.rows_line - 1,
          "some coordinates are scaled and others are not, which is ambiguous in a sheared box. "
          "Write x y z, or xs ys zs.");
      }
      shear(box);
    }
  }

  /// The column of an axis: x, xu, xs or xsu for axis `letter` x. Sets `scaled` for the last two.
  const DumpColumn& takeCoordinate(const std::string& letter, bool& scaled)
  {
    for (const char* suffix : { "", "u", "s", "su" })
    {
      if (const DumpColumn* column = take(letter + suffix))
      {
        scaled = *suffix == 's';
        return *column;
      }
    }
    std::string names;
    for (const std::string& name : frame_.columns)
    {
      names += (names.empty() ? "" : " ") + shownWord(name);
    }
    failAtLine(label_, frame_.rows_line - 1,
      "the frame has no column " + letter + ", " + letter + "u, " + letter + "s or " + letter +
        "su, so its grains have no position. Its columns are: " + names + ".");
  }

  /// Adds the tilt of the box to scaled positions.
  void shear(const Box& box)
  {
    const Vec3d &lower = box.lower, &upper = box.upper, &tilt = frame_.tilt;
    for (std::size_t i = 0; i < size_; ++i)
    {
      double* p = &grains_.position[3 * i];
      const double ys = upper.y > lower.y ? (p[1] - lower.y) / (upper.y - lower.y) : 0,
                   zs = upper.z > lower.z ? (p[2] - lower.z) / (upper.z - lower.z) : 0;
      p[0] += ys * tilt.x + zs * tilt.y;
      p[1] += zs * tilt.z;
    }
  }

  void takeIds()
  {
    const DumpColumn* id = take("id");
    grains_.has_id = id != nullptr;
    grains_.id.resize(size_);
    for (std::size_t i = 0; i < size_; ++i)
    {
      if (id && !id->whole &&
        (std::fabs(id->numbers[i]) >= 9007199254740992.0 ||
          id->numbers[i] != std::floor(id->numbers[i])))
      {
        failAtLine(label_, line(i),
          "the id " + std::to_string(id->numbers[i]) + " is no integer below 2^53.");
      }
      grains_.id[i] =
        id ? static_cast<std::int64_t>(id->numbers[i]) : static_cast<std::int64_t>(i) + 1;
    }
  }

  void takeRadii(double constant_radius)
  {
    const bool has_radius = find("radius") != nullptr;
    if (const DumpColumn* size = take(has_radius ? "radius" : "diameter"))
    {
      std::vector<double>& radius = grains_.radius.emplace(size_);
      for (std::size_t i = 0; i < size_; ++i)
      {
        radius[i] = has_radius ? size->numbers[i] : 0.5 * size->numbers[i];
        if (!(radius[i] > 0))
        {
          failAtLine(label_, line(i),
            "the " + size->name + " is " + std::to_string(size->numbers[i]) + ", but must be > 0.");
        }
      }
    }
    else if (constant_radius > 0)
    {
      grains_.radius.emplace(size_, constant_radius);
    }
  }

  void takeMasses()
  {
    if (const DumpColumn* mass = take("mass"))
    {
      grains_.mass = mass->numbers;
    }
    else if (const DumpColumn* density = find("density"); density && grains_.radius)
    {
      requireFinite(*density);
      std::vector<double>& values = grains_.mass.emplace(size_);
      for (std::size_t i = 0; i < size_; ++i)
      {
        const double r = (*grains_.radius)[i];
        values[i] = density->numbers[i] * 4 / 3. * kPi * r * r * r;
      }
    }
  }

  /// `type` stays among the others.
  void readMaterials()
  {
    const DumpColumn* type = find("type");
    if (!type)
    {
      return;
    }
    requireFinite(*type);
    std::vector<std::int32_t>& material = grains_.material.emplace(size_);
    for (std::size_t i = 0; i < size_; ++i)
    {
      const double t = type->numbers[i];
      if (!(t >= 1 && t <= std::numeric_limits<std::int32_t>::max() && t == std::floor(t)))
      {
        failAtLine(label_, line(i), "the type " + std::to_string(t) + " is no integer from 1 on.");
      }
      material[i] = static_cast<std::int32_t>(t) - 1;
    }
  }

  void keepOthers()
  {
    for (std::size_t c = 0; c < columns_.size(); ++c)
    {
      if (!taken_[c])
      {
        grains_.others.push_back(std::move(columns_[c]));
      }
    }
  }

  void sortById()
  {
    const std::vector<std::int64_t>& id = grains_.id;
    std::vector<std::size_t> order(size_);
    std::iota(order.begin(), order.end(), std::size_t(0));
    if (!std::is_sorted(id.begin(), id.end()))
    {
      std::sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return id[a] != id[b] ? id[a] < id[b] : a < b; });
    }
    for (std::size_t i = 1; i < size_; ++i)
    {
      if (id[order[i]] == id[order[i - 1]])
      {
        failAtLine(label_, line(order[i]),
          "the id " + std::to_string(id[order[i]]) + " is also in line " +
            std::to_string(line(order[i - 1])) + ".");
      }
    }
    reorder(grains_.id, order);
    reorder(grains_.position, order);
    for (auto* values : { &grains_.radius, &grains_.mass, &grains_.velocity,
           &grains_.angular_velocity, &grains_.force, &grains_.torque, &grains_.orientation })
    {
      if (*values)
      {
        reorder(**values, order);
      }
    }
    if (grains_.material)
    {
      reorder(*grains_.material, order);
    }
    for (DumpColumn& column : grains_.others)
    {
      reorder(column.numbers, order);
      reorder(column.words, order);
    }
  }

  /// Line number of a row in the file.
  std::uint64_t line(std::size_t row) const { return frame_.rows_line + row; }

  std::vector<DumpColumn> columns_;
  const DumpFrame& frame_;
  const std::string& label_;
  std::vector<bool> taken_; // of each column
  std::size_t size_;        // rows
  DumpGrains grains_;
};

} // namespace

DumpGrains readDumpGrains(
  std::istream& in, const DumpFrame& frame, const std::string& label, double constant_radius)
{
  return GrainsFromColumns(readDumpRows(in, frame, label), frame, label).make(constant_radius);
}

} // namespace dem
