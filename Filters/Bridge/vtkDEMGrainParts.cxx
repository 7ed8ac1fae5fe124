#include "vtkDEMGrainParts.h"

#include "Bridge/vtkDEMShapeInput.h"
#include "Core/Error.h"
#include "Core/Vec.h"
#include "Scene/ShapeText.h"

#include "vtkDataArray.h"
#include "vtkFieldData.h"
#include "vtkPointData.h"
#include "vtkPointSet.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace
{

//------------------------------------------------------------------------------
// The shape of each point, its orientation and its size relative to the definition of the shape.
class ShapesOfPoints
{
public:
  explicit ShapesOfPoints(vtkPointSet* points)
    : Shapes(vtkDEMShapeInput::Read(points->GetFieldData(), "The grains"))
    , Number(points->GetPointData()->GetArray("Shape"))
    , Turn(points->GetPointData()->GetArray("Orientation"))
  {
    for (const dem::Shape& shape : this->Shapes)
    {
      this->EqualRadius.push_back(dem::equalRadius(shape));
    }
    if (this->Number && this->Number->GetNumberOfComponents() != 1)
    {
      this->Number = nullptr;
    }
    if (this->Turn && this->Turn->GetNumberOfComponents() != 4)
    {
      this->Turn = nullptr;
    }
  }

  bool Turned() const { return this->Turn != nullptr; }

  std::size_t Kind(std::size_t point) const
  {
    const double number =
      this->Number ? this->Number->GetComponent(static_cast<vtkIdType>(point), 0) : 0;
    if (!(number >= 0 && number < static_cast<double>(this->Shapes.size())))
    {
      throw dem::Error("Point " + std::to_string(point) + " has the Shape " +
        std::to_string(static_cast<long long>(number)) + ", but " +
        std::to_string(this->Shapes.size()) +
        " are defined, counted from 0 (field data ShapeDefinitions; 0 = sphere).");
    }
    return static_cast<std::size_t>(number);
  }
  const dem::Shape& Of(std::size_t point) const { return this->Shapes[this->Kind(point)]; }
  double Scale(std::size_t point, double radius) const
  {
    return radius / this->EqualRadius[this->Kind(point)];
  }
  // Rotation from the principal axes of the shape to those of space.
  dem::Quaternion<double> FromPrincipal(std::size_t point) const
  {
    dem::Quaternion<double> q;
    if (this->Turn)
    {
      double values[4];
      this->Turn->GetTuple(static_cast<vtkIdType>(point), values);
      const dem::Quaternion<double> given{ values[0], values[1], values[2], values[3] };
      const double size = values[0] * values[0] + values[1] * values[1] + values[2] * values[2] +
        values[3] * values[3];
      if (!(size > 0) || !std::isfinite(size))
      {
        throw dem::Error(
          "Point " + std::to_string(point) + " has an Orientation that is no quaternion.");
      }
      q = dem::normalized(given);
    }
    return q * this->Of(point).mass.axes;
  }

  std::vector<dem::Shape> Shapes;

private:
  vtkDataArray* Number;
  vtkDataArray* Turn;
  std::vector<double> EqualRadius;
};

//------------------------------------------------------------------------------
dem::Vec3d At(const double* values, std::int64_t i)
{
  return { values[3 * i], values[3 * i + 1], values[3 * i + 2] };
}

} // namespace

namespace vtkDEMGrainParts
{

//------------------------------------------------------------------------------
bool Any(vtkPointSet* points)
{
  vtkDataArray* number = points ? points->GetPointData()->GetArray("Shape") : nullptr;
  if (!number || number->GetNumberOfComponents() != 1 ||
    !points->GetFieldData()->GetAbstractArray("ShapeDefinitions"))
  {
    return false;
  }
  double range[2];
  number->GetRange(range);
  return number->GetNumberOfTuples() > 0 && range[1] > 0;
}

//------------------------------------------------------------------------------
double RotationalEnergy(vtkPointSet* points, const dem::Grains& grains)
{
  const ShapesOfPoints shapes(points);
  if (!shapes.Turned() || !grains.angular_velocity || !grains.mass)
  {
    return std::numeric_limits<double>::quiet_NaN();
  }
  double twice = 0;
  for (std::size_t i = 0; i < grains.size; ++i)
  {
    const dem::MassProperties& mass = shapes.Of(i).mass;
    const double scale = shapes.Scale(i, grains.radius[i]);
    const dem::Vec3d w = dem::rotate(dem::conjugate(shapes.FromPrincipal(i)),
      At(grains.angular_velocity, static_cast<std::int64_t>(i)));
    const dem::Vec3d squares{ w.x * w.x, w.y * w.y, w.z * w.z };
    twice += grains.mass[i] * scale * scale / mass.volume * dem::dot(mass.moments, squares);
  }
  return 0.5 * twice;
}

//------------------------------------------------------------------------------
dem::FoundContacts FindContacts(vtkPointSet* points, const dem::Grains& grains,
  const dem::ContactSearchOptions& options, const dem::Device& device)
{
  if (grains.size == 0 || !Any(points))
  {
    return dem::findContacts(grains, options, device);
  }
  const ShapesOfPoints shapes(points);
  std::vector<double> places, radii;
  std::vector<dem::Vec3d> arms;     // from the centre of a part's grain
  std::vector<std::int64_t> owners; // of a part
  for (std::size_t i = 0; i < grains.size; ++i)
  {
    const dem::Shape& shape = shapes.Of(i);
    const bool clump = shape.kind == dem::ShapeKind::MultiSphere;
    const double scale = clump ? shapes.Scale(i, grains.radius[i]) : 1;
    const dem::Quaternion<double> turn =
      clump ? shapes.FromPrincipal(i) : dem::Quaternion<double>{};
    const dem::Vec3d centre = At(grains.position, static_cast<std::int64_t>(i));
    for (std::size_t part = 0; part < (clump ? shape.centers.size() : 1); ++part)
    {
      const dem::Vec3d arm = clump ? scale * dem::rotate(turn, shape.centers[part]) : dem::Vec3d{};
      const dem::Vec3d place = centre + arm;
      places.insert(places.end(), { place.x, place.y, place.z });
      radii.push_back(clump ? scale * shape.radii[part] : grains.radius[i]);
      arms.push_back(arm);
      owners.push_back(static_cast<std::int64_t>(i));
    }
  }
  dem::Grains parts;
  parts.size = radii.size();
  parts.position = places.data();
  parts.radius = radii.data();
  const dem::FoundContacts all = dem::findContacts(parts, options, device);
  std::vector<std::size_t> kept;
  for (std::size_t c = 0; c < all.size; ++c)
  {
    if (owners[static_cast<std::size_t>(all.first[c])] !=
      owners[static_cast<std::size_t>(all.second[c])])
    {
      kept.push_back(c);
    }
  }
  dem::FoundContacts found;
  found.size = kept.size();
  found.first = dem::HostArray<std::int64_t>(found.size);
  found.second = dem::HostArray<std::int64_t>(found.size);
  found.first_place = dem::HostArray<double>(3 * found.size);
  found.second_place = dem::HostArray<double>(3 * found.size);
  found.point = dem::HostArray<double>(3 * found.size);
  found.overlap = dem::HostArray<double>(found.size);
  for (std::size_t k = 0; k < found.size; ++k)
  {
    const std::size_t c = kept[k];
    const auto p = static_cast<std::size_t>(all.first[c]),
               q = static_cast<std::size_t>(all.second[c]);
    found.first[k] = owners[p];
    found.second[k] = owners[q];
    found.overlap[k] = all.overlap[c];
    const dem::Vec3d first = At(grains.position, owners[p]);
    const dem::Vec3d second = At(all.second_place.data(), static_cast<std::int64_t>(c)) - arms[q];
    for (int j = 0; j < 3; ++j)
    {
      found.first_place[3 * k + j] = first[j];
      found.second_place[3 * k + j] = second[j];
      found.point[3 * k + j] = all.point[3 * c + j];
    }
  }
  return found;
}

} // namespace vtkDEMGrainParts
