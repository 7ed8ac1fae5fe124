#include "vtkDEMFrameInput.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMContactInput.h"
#include "Bridge/vtkDEMFrameHandle.h"
#include "Bridge/vtkDEMGrainNames.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkPointData.h"
#include "vtkPointSet.h"
#include "vtkPolyData.h"

namespace
{

using vtkDEMGrainNames::Find;

//------------------------------------------------------------------------------
// Whether `array` has the memory of `values`. The key of a frame may have been passed on to an
// array that was made later.
template <class ValuesT>
bool Shows(vtkDataArray* array, const ValuesT& values)
{
  return array && !values.empty() && array->HasStandardMemoryLayout() &&
    static_cast<std::size_t>(array->GetNumberOfValues()) == values.size() &&
    array->GetVoidPointer(0) == values.data();
}

//------------------------------------------------------------------------------
// Whether positions, Ids and radii are those of the frame.
bool ShowsGrains(
  vtkPolyData* points, const vtkDEMGrainInput::GrainOptions& options, const dem::Frame& frame)
{
  vtkPointData* data = points->GetPointData();
  double scale = 1;
  vtkDataArray* id = Find(data, vtkDEMGrainNames::Id, 1);
  id = id ? id : data->GetGlobalIds();
  return Shows(points->GetPoints()->GetData(), frame.position) && Shows(id, frame.id) &&
    Shows(vtkDEMGrainInput::FindRadius(data, options.RadiusArray, scale), frame.radius) &&
    scale == 1;
}

//------------------------------------------------------------------------------
// Leaves those of `grains` that the points show; false if they show others.
bool KeepMotion(vtkPointData* data, const dem::Frame& frame, dem::Grains& grains)
{
  vtkDataArray* velocity = Find(data, vtkDEMGrainNames::Velocity, 3);
  vtkDataArray* spin = Find(data, vtkDEMGrainNames::AngularVelocity, 3);
  vtkDataArray* material = Find(data, vtkDEMGrainNames::Material, 1);
  vtkDataArray* temperature = data->GetArray("Temperature");
  if (!Shows(Find(data, vtkDEMGrainNames::Mass, 1), frame.mass) ||
    (temperature && !Shows(temperature, frame.passive[dem::kTemperature])) ||
    (velocity && !Shows(velocity, frame.velocity)) ||
    (spin && !Shows(spin, frame.angular_velocity)) ||
    (material && !Shows(material, frame.material)))
  {
    return false;
  }
  grains.velocity = velocity ? grains.velocity : nullptr;
  grains.angular_velocity = spin ? grains.angular_velocity : nullptr;
  grains.material = material ? grains.material : nullptr;
  grains.temperature = temperature ? grains.temperature : nullptr;
  return true;
}

//------------------------------------------------------------------------------
// Leaves those of `touching` that the lines show; false if they show others.
bool KeepContacts(vtkPolyData* contacts, vtkPointSet* particles,
  const std::shared_ptr<const dem::Frame>& frame, dem::GrainContacts& touching)
{
  const auto size = static_cast<std::size_t>(contacts->GetNumberOfCells());
  const auto& shown = frame->contacts;
  vtkDEMFrameHandle* other = vtkDEMFrameHandle::Of(contacts);
  vtkCellData* cells = contacts->GetCellData();
  vtkDataArray* normal = Find(cells, { "NormalForce", "force_normal" }, 3);
  vtkDataArray* tangential = Find(cells, { "TangentialForce", "force_tangential" }, 3);
  vtkDataArray* point = Find(cells, { "ContactPoint", "contact_point" }, 3);
  if (!other || other->GetFrame() != frame || size != shown.size ||
    static_cast<std::size_t>(contacts->GetLines()->GetNumberOfCells()) != size ||
    !other->HasCorners(contacts->GetLines()->GetConnectivityArray()->GetVoidPointer(0)) ||
    !Shows(contacts->GetPoints()->GetData(), shown.ends) ||
    !Shows(Find(cells, { "ParticleIds" }, 2), shown.ids) ||
    !Shows(Find(cells, { "Overlap", "delta" }, 1), shown.overlap) ||
    (point && !Shows(point, shown.point)) || (normal && !Shows(normal, shown.normal_force)) ||
    (tangential && !Shows(tangential, shown.tangential_force)))
  {
    return false;
  }
  touching.normal_force = normal ? touching.normal_force : nullptr;
  touching.tangential_force = tangential ? touching.tangential_force : nullptr;
  touching.point = point ? touching.point : nullptr;
  touching.shaped = vtkDEMContactInput::AreShaped(particles, point);
  if (!Shows(cells->GetArray("Sliding"), shown.sliding))
  {
    touching.sliding = nullptr;
  }
  return true;
}

} // namespace

namespace vtkDEMFrameInput
{

//------------------------------------------------------------------------------
FrameInput Find(vtkPointSet* particles, vtkPolyData* contacts,
  const vtkDEMGrainInput::GrainOptions& options, const dem::Device& device)
{
  auto* points = vtkPolyData::SafeDownCast(particles);
  vtkDEMFrameHandle* handle = vtkDEMFrameHandle::Of(points);
  const std::shared_ptr<const dem::Frame> frame = handle ? handle->GetFrame() : nullptr;
  const std::shared_ptr<const dem::DeviceFrame> kept = frame ? frame->on_device.lock() : nullptr;
  if (!kept || frame->size == 0 || !kept->reachableBy(device) ||
    !ShowsGrains(points, options, *frame))
  {
    return {};
  }
  vtkPointData* data = points->GetPointData();
  dem::Grains grains = kept->grains();
  if (!options.Motion)
  {
    grains.mass = grains.velocity = grains.angular_velocity = grains.temperature = nullptr;
    grains.material = nullptr;
  }
  else if (!KeepMotion(data, *frame, grains))
  {
    return {};
  }
  dem::GrainContacts touching;
  if (contacts && contacts->GetNumberOfCells() > 0)
  {
    touching = kept->contacts();
    if (!KeepContacts(contacts, particles, frame, touching))
    {
      return {};
    }
  }
  if (options.Continuum)
  {
    vtkDataArray* stress = vtkDEMGrainNames::Find(data, { "Stress" }, 6);
    if (stress && !Shows(stress, frame->stress))
    {
      return {};
    }
    touching = kept->contacts();
    touching.normal_force = stress ? touching.normal_force : nullptr;
  }
  FrameInput found;
  found.Grains = grains;
  found.Contacts = touching;
  found.Shown = frame;
  found.Kept = kept;
  return found;
}

//------------------------------------------------------------------------------
void AddSource(vtkFieldData* data, bool frame)
{
  vtkDEMArrays::AddText(data, "ReadFrom", frame ? "Frame" : "Arrays");
}

} // namespace vtkDEMFrameInput
