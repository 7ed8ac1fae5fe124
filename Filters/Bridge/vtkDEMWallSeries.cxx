#include "vtkDEMWallSeries.h"

#include "Core/Error.h"

#include "vtkMath.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace
{

constexpr double RelativeTolerance = 1e-6;
constexpr double LargestTurn =
  0.9 * 3.14159265358979323846; // rad, between two times; more is ambiguous

//------------------------------------------------------------------------------
std::string Text(double value)
{
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

//------------------------------------------------------------------------------
dem::Vec3d CentroidOf(const std::vector<dem::Vec3d>& points)
{
  dem::Vec3d sum{};
  for (const dem::Vec3d& p : points)
  {
    sum += p;
  }
  return (1.0 / static_cast<double>(points.size())) * sum;
}

//------------------------------------------------------------------------------
// The rotation about the centroid that maps `from` best to `to`: B. K. P. Horn, Closed-form
// solution of absolute orientation using unit quaternions, J. Opt. Soc. Am. A 4 (1987) 629.
dem::Quaternion<double> BestTurn(const std::vector<dem::Vec3d>& from, const dem::Vec3d& fromCenter,
  const std::vector<dem::Vec3d>& to, const dem::Vec3d& toCenter)
{
  double s[3][3] = {};
  for (std::size_t i = 0; i < from.size(); ++i)
  {
    const dem::Vec3d a = from[i] - fromCenter;
    const dem::Vec3d b = to[i] - toCenter;
    const double p[3] = { a.x, a.y, a.z };
    const double q[3] = { b.x, b.y, b.z };
    for (int row = 0; row < 3; ++row)
    {
      for (int column = 0; column < 3; ++column)
      {
        s[row][column] += p[row] * q[column];
      }
    }
  }
  double n[4][4] = { { s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2],
                       s[0][1] - s[1][0] },
    { 0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2] },
    { 0, 0, s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1] },
    { 0, 0, 0, s[2][2] - s[0][0] - s[1][1] } };
  for (int row = 1; row < 4; ++row)
  {
    for (int column = 0; column < row; ++column)
    {
      n[row][column] = n[column][row];
    }
  }
  double vectors[4][4];
  double values[4];
  double* nRows[4] = { n[0], n[1], n[2], n[3] };
  double* vectorRows[4] = { vectors[0], vectors[1], vectors[2], vectors[3] };
  vtkMath::JacobiN(nRows, 4, values, vectorRows);
  const double sign = vectors[0][0] < 0 ? -1.0 : 1.0;
  return dem::normalized(dem::Quaternion<double>{
    sign * vectors[0][0], sign * vectors[1][0], sign * vectors[2][0], sign * vectors[3][0] });
}

//------------------------------------------------------------------------------
// The fewest times, by index, between which a curve is linear to a tolerance. `deviates` returns
// whether the curve at `middle` is off the line from `first` to `last`.
template <class DeviatesT>
std::vector<std::size_t> Knots(std::size_t count, const DeviatesT& deviates)
{
  std::vector<std::size_t> knots{ 0 };
  while (knots.back() + 1 < count)
  {
    const std::size_t first = knots.back();
    std::size_t last = first + 1;
    const auto isLine = [&](std::size_t end)
    {
      for (std::size_t middle = first + 1; middle < end; ++middle)
      {
        if (deviates(first, middle, end))
        {
          return false;
        }
      }
      return true;
    };
    while (last + 1 < count && isLine(last + 1))
    {
      ++last;
    }
    knots.push_back(last);
  }
  return knots;
}

} // namespace

//------------------------------------------------------------------------------
vtkDEMWallSeries::vtkDEMWallSeries(const std::string& what, const std::vector<dem::Vec3d>& points,
  std::vector<double>&& cells, double time)
  : What(what)
  , Base(points)
  , Cells(std::move(cells))
  , Centroid(CentroidOf(points))
  , Poses{ { time, {}, {} } }
{
  dem::Vec3d lower = points.front();
  dem::Vec3d upper = lower;
  for (const dem::Vec3d& p : points)
  {
    lower = { std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z) };
    upper = { std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z) };
  }
  for (int corner = 0; corner < 8; ++corner)
  {
    this->Corners[corner] = { corner & 1 ? upper.x : lower.x, corner & 2 ? upper.y : lower.y,
      corner & 4 ? upper.z : lower.z };
  }
  // Files have coordinates in single precision, whose rounding grows with the distance from 0.
  this->Tolerance = RelativeTolerance *
    std::max({ dem::length(upper - lower), dem::length(upper), dem::length(lower) });
}

//------------------------------------------------------------------------------
dem::Vec3d vtkDEMWallSeries::Moved(const Pose& pose, const dem::Vec3d& point) const
{
  return this->Centroid + pose.Shift + dem::rotate(pose.Turn, point - this->Centroid);
}

//------------------------------------------------------------------------------
void vtkDEMWallSeries::Add(
  const std::vector<dem::Vec3d>& points, const std::vector<double>& cells, double time)
{
  const std::string when = " at t = " + Text(time) + " s";
  const std::string since = " at t = " + Text(this->Poses.front().Time) + " s";
  constexpr const char* cure = " To keep it at one time, apply Extract Time Steps and choose one.";
  if (points.size() != this->Base.size() || cells != this->Cells)
  {
    throw dem::Error(this->What + " has " + std::to_string(points.size()) + " points" + when +
      " and " + std::to_string(this->Base.size()) + since +
      ", or other polygons: a wall that changes with time must have the same mesh at all times." +
      cure);
  }
  const dem::Vec3d centroid = CentroidOf(points);
  const Pose pose{ time, BestTurn(this->Base, this->Centroid, points, centroid),
    centroid - this->Centroid };
  double off = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    const double distance = dem::length(points[i] - this->Moved(pose, this->Base[i]));
    off = distance > off || !std::isfinite(distance) ? distance : off;
  }
  const double far = RelativeTolerance * dem::length(centroid); // rounding at the new position
  if (!(off <= std::max(this->Tolerance, far)))
  {
    throw dem::Error(this->What + " has another shape" + when + " than" + since +
      " (points are up to " + Text(off) +
      " m off a rigid motion): a wall moves only as a rigid body." + cure);
  }
  this->Poses.push_back(pose);
}

//------------------------------------------------------------------------------
bool vtkDEMWallSeries::FindTranslation(
  dem::Motion& motion, std::vector<dem::Event>& events, double index) const
{
  for (const Pose& pose : this->Poses)
  {
    for (const dem::Vec3d& corner : this->Corners)
    {
      if (!(dem::length(this->Moved(pose, corner) - corner - pose.Shift) <= this->Tolerance))
      {
        return false;
      }
    }
  }
  const auto velocity = [&](std::size_t from, std::size_t to)
  {
    const Pose& a = this->Poses[from];
    const Pose& b = this->Poses[to];
    return (1 / (b.Time - a.Time)) * (b.Shift - a.Shift);
  };
  const std::vector<std::size_t> knots = Knots(this->Poses.size(),
    [&](std::size_t first, std::size_t middle, std::size_t last)
    {
      const Pose& a = this->Poses[first];
      const Pose& m = this->Poses[middle];
      const dem::Vec3d line = a.Shift + (m.Time - a.Time) * velocity(first, last);
      return !(dem::length(m.Shift - line) <= this->Tolerance);
    });
  motion.kind = dem::MotionKind::Translation;
  motion.velocity = velocity(knots[0], knots[1]);
  for (std::size_t k = 1; k + 1 < knots.size(); ++k)
  {
    const dem::Vec3d v = velocity(knots[k], knots[k + 1]);
    events.push_back({ this->Poses[knots[k]].Time, "WallVelocity", { index, v.x, v.y, v.z } });
  }
  return true;
}

//------------------------------------------------------------------------------
bool vtkDEMWallSeries::FindRotation(
  dem::Motion& motion, std::vector<dem::Event>& events, double index) const
{
  const auto part = [](const Pose& pose) {
    return dem::Vec3d{ pose.Turn.x, pose.Turn.y, pose.Turn.z };
  };
  // The largest rotation gives the most accurate axis.
  const Pose& most = *std::max_element(this->Poses.begin(), this->Poses.end(),
    [&](const Pose& a, const Pose& b) { return dem::length(part(a)) < dem::length(part(b)); });
  const double sine = dem::length(part(most));
  const dem::Vec3d axis = (1 / sine) * part(most);
  // Across the axis, (1 - R) (pivot - centroid) = shift.
  const dem::Vec3d across = most.Shift - dem::dot(most.Shift, axis) * axis;
  const dem::Vec3d pivot =
    this->Centroid + 0.5 * (across + (most.Turn.w / sine) * dem::cross(axis, across));

  std::vector<double> angles;
  double reach = 0;
  for (const Pose& pose : this->Poses)
  {
    const double before = angles.empty() ? 0 : angles.back();
    const double angle = 2 * std::atan2(dem::dot(part(pose), axis), pose.Turn.w);
    const double turn = std::remainder(angle - before, 2 * 3.14159265358979323846);
    angles.push_back(before + turn);
    const auto rotation = dem::rotationVectorToQuaternion(angles.back() * axis);
    for (const dem::Vec3d& corner : this->Corners)
    {
      reach = std::max(reach, dem::length(corner - pivot));
      const dem::Vec3d turned = pivot + dem::rotate(rotation, corner - pivot);
      if (!(dem::length(turned - this->Moved(pose, corner)) <= 2 * this->Tolerance))
      {
        return false;
      }
    }
    if (std::fabs(turn) > LargestTurn)
    {
      const double degrees = vtkMath::DegreesFromRadians(std::fabs(turn));
      throw dem::Error(this->What + " turns by " + Text(degrees) +
        " degrees up to t = " + Text(pose.Time) +
        " s, from the time before: its direction is ambiguous. Give it more times, at least one "
        "every "
        "162 degrees, or move it by the Motion of DEM Wall.");
    }
  }
  const auto rate = [&](std::size_t from, std::size_t to)
  { return (angles[to] - angles[from]) / (this->Poses[to].Time - this->Poses[from].Time); };
  const std::vector<std::size_t> knots = Knots(this->Poses.size(),
    [&](std::size_t first, std::size_t middle, std::size_t last)
    {
      const double elapsed = this->Poses[middle].Time - this->Poses[first].Time;
      const double line = angles[first] + elapsed * rate(first, last);
      return !(std::fabs(angles[middle] - line) * reach <= this->Tolerance);
    });
  motion.kind = dem::MotionKind::Rotation;
  motion.origin = pivot;
  motion.axis = axis;
  motion.rate = rate(knots[0], knots[1]);
  for (std::size_t k = 1; k + 1 < knots.size(); ++k)
  {
    events.push_back(
      { this->Poses[knots[k]].Time, "WallRate", { index, rate(knots[k], knots[k + 1]) } });
  }
  return true;
}

//------------------------------------------------------------------------------
void vtkDEMWallSeries::Finish(
  dem::Wall& wall, std::size_t index, std::vector<dem::Event>& events) const
{
  double moved = 0;
  for (const Pose& pose : this->Poses)
  {
    for (const dem::Vec3d& corner : this->Corners)
    {
      moved = std::max(moved, dem::length(this->Moved(pose, corner) - corner));
    }
  }
  if (moved <= this->Tolerance)
  {
    return;
  }
  if (wall.motion.kind != dem::MotionKind::Fixed)
  {
    throw dem::Error(this->What +
      " has two motions: its input moves with time, and DEM Wall gives it a Motion. Set the Motion "
      "to Fixed, or apply Extract Time Steps to keep the input at one time.");
  }
  dem::Motion motion;
  motion.start = this->Poses.front().Time;
  motion.stop = this->Poses.back().Time;
  const auto number = static_cast<double>(index);
  if (!this->FindTranslation(motion, events, number) && !this->FindRotation(motion, events, number))
  {
    throw dem::Error(this->What + " moves from t = " + Text(motion.start) +
      " s to t = " + Text(motion.stop) +
      " s neither by a translation nor about one fixed axis: such a motion is not supported. Use a "
      "series that only translates or only rotates about one axis, or apply Extract Time Steps to "
      "keep the wall at one time.");
  }
  wall.motion = motion;
}
