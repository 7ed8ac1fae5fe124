#include "vtkSMDEMFirstLook.h"

#include "vtkSMDEMPipelineNames.h"
#include "vtkSMDEMRunProxy.h"

#include "vtkBoundingBox.h"
#include "vtkCommand.h"
#include "vtkDataObject.h"
#include "vtkMath.h"
#include "vtkNew.h"
#include "vtkPVArrayInformation.h"
#include "vtkPVDataInformation.h"
#include "vtkPVProgressHandler.h"
#include "vtkRenderWindow.h"
#include "vtkSMPVRepresentationProxy.h"
#include "vtkSMParaViewPipelineControllerWithRendering.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMProxyIterator.h"
#include "vtkSMRenderViewProxy.h"
#include "vtkSMScalarBarWidgetRepresentationProxy.h"
#include "vtkSMSession.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMSourceProxy.h"
#include "vtkSMTransferFunctionProxy.h"
#include "vtkWeakPointer.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace
{

// The upper end of a range that ParaView has fitted to zeros: the least number above 0.
constexpr double LeastRange = 1e-3;
// From dark blue over violet to yellow. Lightness increases monotonically, and the dark end is
// visible on white and on dark grey.
constexpr const char* SequentialMap = "nic_CubicYF";

// Domain of a run, from the field data of its walls.
struct DomainOfRun
{
  bool HasGravity = false;
  bool Limited = false;
  double Gravity[3] = { 0, 0, 0 };
  double Box[6] = { 0, 0, 0, 0, 0, 0 };

  double Strength() const { return vtkMath::Norm(this->Gravity); }

  // Size of the domain along gravity in m.
  double Height() const
  {
    double height = 0;
    for (int k = 0; k < 3; ++k)
    {
      height +=
        std::abs(this->Gravity[k]) / this->Strength() * (this->Box[2 * k + 1] - this->Box[2 * k]);
    }
    return height;
  }
};

//------------------------------------------------------------------------------
// Reads an array of field data with one tuple. Returns false if there is none.
bool ReadField(vtkPVDataInformation* data, const char* name, int count, double* values)
{
  vtkPVArrayInformation* array = data->GetArrayInformation(name, vtkDataObject::FIELD);
  if (!array || array->GetNumberOfComponents() != count)
  {
    return false;
  }
  for (int i = 0; i < count; ++i)
  {
    values[i] = array->GetComponentRange(i)[0];
  }
  return true;
}

//------------------------------------------------------------------------------
DomainOfRun ReadDomain(vtkSMSourceProxy* source)
{
  DomainOfRun domain;
  for (unsigned int port = 0; port < source->GetNumberOfOutputPorts() && !domain.HasGravity; ++port)
  {
    vtkPVDataInformation* data = source->GetDataInformation(port);
    if (data && ReadField(data, "Gravity", 3, domain.Gravity))
    {
      domain.HasGravity = domain.Strength() > 0;
      domain.Limited = ReadField(data, "Box", 6, domain.Box);
    }
  }
  return domain;
}

//------------------------------------------------------------------------------
// Gets the bounds of all outputs. Returns false if these are empty.
bool ReadBounds(vtkSMSourceProxy* source, double bounds[6])
{
  vtkBoundingBox box;
  for (unsigned int port = 0; port < source->GetNumberOfOutputPorts(); ++port)
  {
    vtkPVDataInformation* data = source->GetDataInformation(port);
    if (data && vtkMath::AreBoundsInitialized(data->GetBounds()))
    {
      box.AddBounds(data->GetBounds());
    }
  }
  if (box.IsValid())
  {
    box.GetBounds(bounds);
  }
  return box.IsValid();
}

//------------------------------------------------------------------------------
// Gets the range of the magnitude of a point or cell array over all outputs. Returns false if there
// is none.
bool ReadSizes(vtkSMSourceProxy* source, const std::string& name, double range[2])
{
  bool any = false;
  for (unsigned int port = 0; port < source->GetNumberOfOutputPorts(); ++port)
  {
    vtkPVDataInformation* data = source->GetDataInformation(port);
    for (int attribute : { vtkDataObject::POINT, vtkDataObject::CELL })
    {
      vtkPVArrayInformation* array =
        data ? data->GetArrayInformation(name.c_str(), attribute) : nullptr;
      const double* found = array ? array->GetComponentFiniteRange(-1) : nullptr;
      if (found && found[0] <= found[1])
      {
        range[0] = any ? std::min(range[0], found[0]) : found[0];
        range[1] = any ? std::max(range[1], found[1]) : found[1];
        any = true;
      }
    }
  }
  return any;
}

//------------------------------------------------------------------------------
// Speed in m/s of a fall through the domain of a run; 0 without gravity or a limited domain.
double FallSpeed(vtkSMSourceProxy* source)
{
  const DomainOfRun domain = ReadDomain(source);
  const bool falls = domain.HasGravity && domain.Limited;
  return falls ? std::sqrt(2 * domain.Strength() * domain.Height()) : 0;
}

//------------------------------------------------------------------------------
// The largest fall speed, in m/s, of those runs of the session whose velocities are all 0 now.
double FallSpeedAtRest(vtkSMProxy* map)
{
  double fastest = 0;
  for (vtkSMSourceProxy* source : vtkSMDEMPipelineNames::Sources(map))
  {
    double sizes[2];
    if (vtkSMDEMRunProxy::SafeDownCast(source) && ReadSizes(source, "Velocity", sizes) &&
      sizes[1] == 0)
    {
      fastest = std::max(fastest, FallSpeed(source));
    }
  }
  return fastest;
}

//------------------------------------------------------------------------------
class ColorsCommand : public vtkCommand
{
public:
  static ColorsCommand* New() { return new ColorsCommand; }

  void Execute(vtkObject* caller, unsigned long, void* data) override
  {
    auto* map = vtkSMProxy::SafeDownCast(caller);
    const char* name = static_cast<const char*>(data);
    double range[2];
    if (this->Working || !map || !name || std::string(name) != "RGBPoints" ||
      !vtkSMTransferFunctionProxy::GetRange(map, range))
    {
      return;
    }
    const bool zeros = range[0] == 0 && range[1] > 0 && range[1] < 1e-30;
    const bool sizesOfVelocities =
      this->Array == "Velocity" && vtkSMPropertyHelper(map, "VectorMode").GetAsInt() == 0;
    double end = 0;
    if (zeros)
    {
      // ParaView fits the range again when a script chooses the array or shows another run.
      const double fall = sizesOfVelocities ? FallSpeedAtRest(map) : 0;
      end = fall > 0 ? fall : LeastRange;
      this->Fitted = this->Fitted || sizesOfVelocities;
    }
    else if (sizesOfVelocities && !this->Fitted && this->Source)
    {
      double sizes[2];
      const bool known = ReadSizes(this->Source, this->Array, sizes);
      const double tolerance = known ? 1e-6 * (sizes[1] - sizes[0]) + 1e-30 : 0;
      if (known && std::abs(range[0] - sizes[0]) <= tolerance &&
        std::abs(range[1] - sizes[1]) <= tolerance)
      {
        this->Fitted = true;
        const double fall = FallSpeed(this->Source);
        end = fall > 0 ? std::max(fall, sizes[1]) : 0;
      }
    }
    if (end > 0)
    {
      this->Working = true;
      vtkSMTransferFunctionProxy::RescaleTransferFunction(map, 0, end);
      if (vtkSMProxy* opacity =
            vtkSMPropertyHelper(map, "ScalarOpacityFunction", /*quiet=*/true).GetAsProxy())
      {
        vtkSMTransferFunctionProxy::RescaleTransferFunction(opacity, 0, end);
      }
      this->Working = false;
    }
  }

  vtkWeakPointer<vtkSMSourceProxy> Source;
  std::string Array;

private:
  bool Fitted = false; // ParaView has fitted the range to the first data
  bool Working = false;
};

//------------------------------------------------------------------------------
bool Shows(vtkSMProxy* view, vtkSMSourceProxy* source)
{
  vtkSMPropertyHelper representations(view, "Representations");
  for (unsigned int i = 0; i < representations.GetNumberOfElements(); ++i)
  {
    vtkSMProxy* representation = representations.GetAsProxy(i);
    if (representation && vtkSMPropertyHelper(representation, "Visibility", true).GetAsInt() != 0 &&
      vtkSMPropertyHelper(representation, "Input", true).GetAsProxy() == source)
    {
      return true;
    }
  }
  return false;
}

//------------------------------------------------------------------------------
// Whether the camera has ParaView's default direction, which a user with a mouse cannot restore
// exactly.
bool LooksAlongZ(vtkSMProxy* view)
{
  double position[3], focus[3], up[3];
  vtkSMPropertyHelper(view, "CameraPosition").Get(position, 3);
  vtkSMPropertyHelper(view, "CameraFocalPoint").Get(focus, 3);
  vtkSMPropertyHelper(view, "CameraViewUp").Get(up, 3);
  const double least = 1e-9 * std::abs(position[2] - focus[2]);
  return position[2] > focus[2] && std::abs(position[0] - focus[0]) <= least &&
    std::abs(position[1] - focus[1]) <= least && up[0] == 0 && up[1] == 1 && up[2] == 0;
}

//------------------------------------------------------------------------------
// Turns the camera to the widest side of the domain, perpendicular to gravity, and fits the whole
// domain with a margin.
void LookFromTheSide(vtkSMRenderViewProxy* view, const DomainOfRun& domain)
{
  double up[3], along[3], right[3], center[3];
  double lengths[3];
  for (int k = 0; k < 3; ++k)
  {
    up[k] = -domain.Gravity[k] / domain.Strength();
    center[k] = 0.5 * (domain.Box[2 * k] + domain.Box[2 * k + 1]);
    lengths[k] = domain.Box[2 * k + 1] - domain.Box[2 * k];
  }
  // Of the axes perpendicular to gravity, the one along which the domain is thinnest; +y or -z if
  // they are equal.
  int best = -1;
  for (int axis : { 1, 2, 0 })
  {
    const bool across = std::abs(up[axis]) < 0.6; // holds for one axis at least
    if (across && (best < 0 || lengths[axis] < 0.95 * lengths[best]))
    {
      best = axis;
    }
  }
  for (int k = 0; k < 3; ++k)
  {
    along[k] = k == best ? (best == 2 ? -1 : 1) : 0;
  }
  const double lean = vtkMath::Dot(along, up);
  for (int k = 0; k < 3; ++k)
  {
    along[k] -= lean * up[k];
  }
  vtkMath::Normalize(along);
  vtkMath::Cross(along, up, right);

  constexpr double margin = 1.1;
  const double slope = std::tan(
    0.5 * vtkMath::RadiansFromDegrees(vtkSMPropertyHelper(view, "CameraViewAngle").GetAsDouble()));
  const int* size = view->GetRenderWindow() ? view->GetRenderWindow()->GetSize() : nullptr;
  const double aspect =
    size && size[0] > 0 && size[1] > 0 ? static_cast<double>(size[0]) / size[1] : 1;
  double distance = 0;
  double scale = 0; // half the height of a picture without perspective
  for (int corner = 0; corner < 8; ++corner)
  {
    double from[3];
    for (int k = 0; k < 3; ++k)
    {
      from[k] = (corner >> k & 1 ? 0.5 : -0.5) * lengths[k];
    }
    const double half = margin *
      std::max(std::abs(vtkMath::Dot(from, up)), std::abs(vtkMath::Dot(from, right)) / aspect);
    distance = std::max(distance, half / slope - vtkMath::Dot(from, along));
    scale = std::max(scale, half);
  }
  double position[3];
  for (int k = 0; k < 3; ++k)
  {
    position[k] = center[k] - distance * along[k];
  }
  vtkSMPropertyHelper(view, "CameraPosition").Set(position, 3);
  vtkSMPropertyHelper(view, "CameraFocalPoint").Set(center, 3);
  vtkSMPropertyHelper(view, "CameraViewUp").Set(up, 3);
  vtkSMPropertyHelper(view, "CameraParallelScale").Set(scale);
  vtkSMPropertyHelper(view, "CenterOfRotation", /*quiet=*/true).Set(center, 3);
  view->UpdateVTKObjects();
}

//------------------------------------------------------------------------------
// Hides the results of other proxies of these names with the input of the source.
void HideOthers(
  vtkSMRenderViewProxy* view, vtkSMSourceProxy* source, const std::set<std::string>& names)
{
  const auto inputOf = [](vtkSMProxy* proxy)
  { return proxy ? vtkSMPropertyHelper(proxy, "Input", /*quiet=*/true).GetAsProxy() : nullptr; };
  std::vector<vtkSMProxy*> others;
  vtkSMPropertyHelper representations(view, "Representations");
  for (unsigned int i = 0; i < representations.GetNumberOfElements(); ++i)
  {
    vtkSMProxy* representation = representations.GetAsProxy(i);
    vtkSMProxy* other = inputOf(representation);
    if (other && other != source && names.count(other->GetXMLName()) &&
      inputOf(other) == inputOf(source) &&
      vtkSMPropertyHelper(representation, "Visibility", /*quiet=*/true).GetAsInt() != 0)
    {
      others.push_back(representation);
    }
  }
  if (others.empty())
  {
    return;
  }
  vtkNew<vtkSMParaViewPipelineControllerWithRendering> controller;
  for (vtkSMProxy* representation : others)
  {
    controller->Hide(representation, view);
    if (auto* shown = vtkSMPVRepresentationProxy::SafeDownCast(representation))
    {
      shown->HideScalarBarIfNotNeeded(view);
    }
  }
  // The legend of the source was placed beside the one that is hidden now.
  for (unsigned int i = 0; i < representations.GetNumberOfElements(); ++i)
  {
    vtkSMProxy* legend = representations.GetAsProxy(i);
    if (legend && legend->IsA("vtkSMScalarBarWidgetRepresentationProxy") &&
      vtkSMPropertyHelper(legend, "Visibility").GetAsInt() != 0)
    {
      legend->GetProperty("WindowLocation")->ResetToXMLDefaults();
      vtkSMScalarBarWidgetRepresentationProxy::PlaceInView(legend, view);
    }
  }
}

//------------------------------------------------------------------------------
// Observer that waits for the first data of the source, then for their first picture.
class FirstPictureCommand : public vtkCommand
{
public:
  static FirstPictureCommand* New() { return new FirstPictureCommand; }

  void Execute(vtkObject* caller, unsigned long event, void*) override
  {
    const vtkSmartPointer<FirstPictureCommand> keep = this; // removing the observers may delete it
    if (!this->Source)
    {
      this->Finish();
    }
    else if (event == vtkCommand::UpdateDataEvent)
    {
      if (!this->Side || ReadDomain(this->Source).HasGravity) // a failed run has none
      {
        this->Source->RemoveObserver(this);
        this->WatchViews();
      }
    }
    else if (Shows(vtkSMProxy::SafeDownCast(caller), this->Source))
    {
      auto* view = vtkSMRenderViewProxy::SafeDownCast(caller);
      this->Finish();
      HideOthers(view, this->Source, this->Replaces);
      DomainOfRun domain = this->Side ? ReadDomain(this->Source) : DomainOfRun();
      if (domain.HasGravity && LooksAlongZ(view) &&
        (domain.Limited || ReadBounds(this->Source, domain.Box)))
      {
        LookFromTheSide(view, domain);
      }
    }
  }

  vtkWeakPointer<vtkSMSourceProxy> Source;
  bool Side = false;
  std::set<std::string> Replaces;

private:
  void WatchViews()
  {
    vtkNew<vtkSMProxyIterator> views;
    views->SetSessionProxyManager(this->Source->GetSessionProxyManager());
    views->SetModeToOneGroup();
    for (views->Begin("views"); !views->IsAtEnd(); views->Next())
    {
      if (auto* view = vtkSMRenderViewProxy::SafeDownCast(views->GetProxy()))
      {
        view->AddObserver(vtkCommand::StartEvent, this);
        this->Views.emplace_back(view);
      }
    }
  }

  void Finish()
  {
    for (const auto& view : this->Views)
    {
      if (view)
      {
        view->RemoveObserver(this);
      }
    }
    this->Views.clear();
  }

  std::vector<vtkWeakPointer<vtkSMRenderViewProxy>> Views;
};

} // namespace

namespace vtkSMDEMFirstLook
{

//------------------------------------------------------------------------------
bool HasWindow(vtkSMProxy* proxy)
{
  // Only a window shows progress.
  vtkSMSession* session = proxy->GetSession();
  return session && session->GetProgressHandler() &&
    session->GetProgressHandler()->HasObserver(vtkCommand::ProgressEvent);
}

//------------------------------------------------------------------------------
void SetSequentialColors(vtkSMProxy* map)
{
  if (map->GetProperty("RGBPoints")->IsValueDefault())
  {
    vtkSMTransferFunctionProxy::ApplyPreset(map, SequentialMap, /*rescale=*/false);
  }
}

//------------------------------------------------------------------------------
void WatchColors(vtkSMProxy* map, vtkSMSourceProxy* source, const std::string& array)
{
  vtkNew<ColorsCommand> command;
  command->Source = source;
  command->Array = array;
  map->AddObserver(vtkCommand::PropertyModifiedEvent, command);
}

//------------------------------------------------------------------------------
void WatchFirstPicture(vtkSMSourceProxy* source, bool side, const std::set<std::string>& replaces)
{
  if ((side || !replaces.empty()) && HasWindow(source))
  {
    vtkNew<FirstPictureCommand> command;
    command->Source = source;
    command->Side = side;
    command->Replaces = replaces;
    source->AddObserver(vtkCommand::UpdateDataEvent, command);
  }
}

} // namespace vtkSMDEMFirstLook
