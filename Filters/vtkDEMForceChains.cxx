#include "vtkDEMForceChains.h"

#include "Analysis/ForceChains.h"
#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMGrainInput.h"
#include "Core/Error.h"
#include "Core/Vec.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDemandDrivenPipeline.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkFloatArray.h"
#include "vtkIdTypeArray.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkIntArray.h"
#include "vtkMath.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkStringArray.h"
#include "vtkTable.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <vector>

namespace
{

//------------------------------------------------------------------------------
template <class ArrayT>
vtkSmartPointer<ArrayT> Named(const char* name, int components = 1)
{
  auto array = vtkSmartPointer<ArrayT>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  return array;
}

//------------------------------------------------------------------------------
// The polylines and what they carry, chain by chain.
struct ChainLines
{
  vtkNew<vtkPoints> Points;
  vtkNew<vtkCellArray> Lines;
  vtkSmartPointer<vtkIdTypeArray> Id = Named<vtkIdTypeArray>("Id");
  vtkSmartPointer<vtkDoubleArray> Load = Named<vtkDoubleArray>("Load");
  vtkSmartPointer<vtkDoubleArray> Force = Named<vtkDoubleArray>("Force");
  vtkSmartPointer<vtkIntArray> ChainId = Named<vtkIntArray>("ChainId");
  vtkSmartPointer<vtkIntArray> GrainCount = Named<vtkIntArray>("GrainCount");
  vtkSmartPointer<vtkDoubleArray> Length = Named<vtkDoubleArray>("Length");
  vtkSmartPointer<vtkDoubleArray> MeanForce = Named<vtkDoubleArray>("MeanForce");

  ChainLines() { this->Points->SetDataTypeToDouble(); }

  vtkIdType AddPoint(const dem::Vec3d& x, std::int64_t id, double load, double force)
  {
    this->Id->InsertNextValue(static_cast<vtkIdType>(id));
    this->Load->InsertNextValue(load);
    this->Force->InsertNextValue(force);
    return this->Points->InsertNextPoint(x.x, x.y, x.z);
  }
  void AddLine(
    const std::vector<vtkIdType>& points, int chain, int grains, double length, double force)
  {
    this->Lines->InsertNextCell(static_cast<vtkIdType>(points.size()), points.data());
    this->ChainId->InsertNextValue(chain);
    this->GrainCount->InsertNextValue(grains);
    this->Length->InsertNextValue(length);
    this->MeanForce->InsertNextValue(force);
  }
  void Give(vtkPolyData* output, bool loads)
  {
    output->SetPoints(this->Points);
    output->SetLines(this->Lines);
    output->GetPointData()->AddArray(this->Id);
    if (loads)
    {
      output->GetPointData()->AddArray(this->Load);
    }
    output->GetPointData()->AddArray(this->Force);
    output->GetPointData()->SetActiveScalars("Force");
    for (vtkDataArray* array : { static_cast<vtkDataArray*>(this->ChainId.Get()),
           static_cast<vtkDataArray*>(this->GrainCount.Get()),
           static_cast<vtkDataArray*>(this->Length.Get()),
           static_cast<vtkDataArray*>(this->MeanForce.Get()) })
    {
      output->GetCellData()->AddArray(array);
    }
  }
};

//------------------------------------------------------------------------------
dem::Vec3d At(const double* values, std::int64_t i)
{
  return { values[3 * i], values[3 * i + 1], values[3 * i + 2] };
}

//------------------------------------------------------------------------------
void FillChains(const dem::GrainContacts& contacts, const dem::ForceChains& chains,
  const dem::ChainRecord& record, ChainLines& lines)
{
  const auto force = [&](std::int64_t link)
  { return dem::length(At(contacts.normal_force, link)); };
  std::vector<vtkIdType> points;
  for (std::size_t k = 0; k < chains.size(); ++k)
  {
    const std::int64_t begin = chains.start[k];
    const std::int64_t end = chains.start[k + 1];
    const bool ring = chains.ring(k);
    points.clear();
    double length = 0;
    double sum = 0;
    int links = 0;
    for (std::int64_t m = begin; m < end; ++m)
    {
      const auto place = static_cast<std::size_t>(m);
      const std::int64_t before =
        m > begin ? chains.link[place - 1] : (ring ? chains.link[end - 1] : std::int64_t(-1));
      const std::int64_t after = chains.link[place];
      const double both = (before >= 0 ? force(before) : 0) + (after >= 0 ? force(after) : 0);
      points.push_back(lines.AddPoint(At(record.place.data(), m), record.id[place],
        chains.load[static_cast<std::size_t>(chains.grain[place])],
        both / ((before >= 0) + (after >= 0))));
      if (after >= 0)
      {
        sum += force(after);
        ++links;
        length += dem::length(At(contacts.second_place, after) - At(contacts.first_place, after));
      }
    }
    if (ring)
    {
      points.push_back(points.front());
    }
    lines.AddLine(points, static_cast<int>(k), static_cast<int>(end - begin), length, sum / links);
  }
}

//------------------------------------------------------------------------------
void FillStrong(const vtkDEMGrainInput::ContactArrays& contacts, const dem::StrongNetwork& strong,
  ChainLines& lines)
{
  const dem::GrainContacts& view = contacts.View;
  std::vector<int> grains(strong.contact.size(), 0); // of each cluster
  for (std::size_t i = 0; i < strong.grain.size(); ++i)
  {
    if (strong.grain[i] >= 0)
    {
      ++grains[static_cast<std::size_t>(strong.grain[i])];
    }
  }
  for (std::size_t k = 0; k < strong.contact.size(); ++k)
  {
    const std::int64_t c = strong.contact[k];
    const double force = dem::length(At(view.normal_force, c));
    const dem::Vec3d first = At(view.first_place, c);
    const dem::Vec3d second = At(view.second_place, c);
    const std::int64_t* ids = contacts.Ids.data() + 2 * c;
    const std::vector<vtkIdType> points{ lines.AddPoint(first, ids[0], 0, force),
      lines.AddPoint(second, ids[1], 0, force) };
    lines.AddLine(points, strong.cluster[k], grains[static_cast<std::size_t>(strong.cluster[k])],
      dem::length(second - first), force);
  }
}

//------------------------------------------------------------------------------
void FillParticles(vtkPointSet* input, const dem::HostArray<std::int32_t>& chain,
  const dem::ForceChains* chains, vtkPolyData* output)
{
  const vtkIdType size = chain.size() == 0 || !input ? 0 : static_cast<vtkIdType>(chain.size());
  if (size > 0)
  {
    output->SetPoints(input->GetPoints());
    output->GetPointData()->PassData(input->GetPointData());
  }
  else
  {
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    output->SetPoints(points);
  }
  auto* given = vtkPolyData::SafeDownCast(input);
  if (given && size > 0 && given->GetNumberOfVerts() == size)
  {
    output->SetVerts(given->GetVerts());
  }
  else
  {
    vtkNew<vtkCellArray> vertices;
    for (vtkIdType i = 0; i < size; ++i)
    {
      vertices->InsertNextCell(1, &i);
    }
    output->SetVerts(vertices);
  }

  vtkPointData* data = output->GetPointData();
  auto number = Named<vtkIntArray>("ForceChain");
  auto member = Named<vtkUnsignedCharArray>("InForceChain");
  number->SetNumberOfValues(size);
  member->SetNumberOfValues(size);
  for (vtkIdType i = 0; i < size; ++i)
  {
    const std::int32_t k = chain[static_cast<std::size_t>(i)];
    number->SetValue(i, k);
    member->SetValue(i, k >= 0 ? 1 : 0);
  }
  data->AddArray(number);
  data->AddArray(member);
  if (chains)
  {
    data->AddArray(vtkDEMArrays::Share<vtkDoubleArray>(chains->load, "Load", 1));
    data->AddArray(vtkDEMArrays::Share<vtkDoubleArray>(chains->direction, "LoadDirection", 3));
  }
  data->SetActiveScalars("InForceChain");
}

//------------------------------------------------------------------------------
void FillEvents(const std::vector<dem::ChainEvent>& events, double from, double to, vtkTable* table)
{
  constexpr const char* names[3] = { "Birth", "Death", "Buckling" };
  auto event = vtkSmartPointer<vtkStringArray>::New();
  event->SetName("Event");
  auto fromTime = Named<vtkDoubleArray>("FromTime");
  auto toTime = Named<vtkDoubleArray>("ToTime");
  auto chain = Named<vtkIdTypeArray>("ChainId");
  auto grain = Named<vtkIdTypeArray>("GrainId");
  auto grains = Named<vtkIdTypeArray>("GrainCount");
  auto angle = Named<vtkDoubleArray>("BucklingAngle");
  auto place = Named<vtkDoubleArray>("Position", 3);
  for (const dem::ChainEvent& e : events)
  {
    event->InsertNextValue(names[static_cast<int>(e.kind)]);
    fromTime->InsertNextValue(from);
    toTime->InsertNextValue(to);
    chain->InsertNextValue(static_cast<vtkIdType>(e.chain));
    grain->InsertNextValue(static_cast<vtkIdType>(e.grain));
    grains->InsertNextValue(static_cast<vtkIdType>(e.grains));
    angle->InsertNextValue(vtkMath::DegreesFromRadians(e.angle));
    place->InsertNextTypedTuple(e.place);
  }
  table->AddColumn(event);
  for (vtkDataArray* column : { static_cast<vtkDataArray*>(fromTime.Get()),
         static_cast<vtkDataArray*>(toTime.Get()), static_cast<vtkDataArray*>(chain.Get()),
         static_cast<vtkDataArray*>(grain.Get()), static_cast<vtkDataArray*>(grains.Get()),
         static_cast<vtkDataArray*>(angle.Get()), static_cast<vtkDataArray*>(place.Get()) })
  {
    table->AddColumn(column);
  }
}

} // namespace

//------------------------------------------------------------------------------
class vtkDEMForceChains::vtkInternals
{
public:
  // What was shown at a time: enough to compare it with another.
  struct Moment
  {
    dem::ChainRecord Chains;
    std::vector<std::int64_t> Id;
    std::vector<double> Position;

    dem::Grains Grains() const
    {
      dem::Grains grains;
      grains.size = this->Id.size();
      grains.id = this->Id.data();
      grains.position = this->Position.data();
      return grains;
    }
  };
  std::unique_ptr<Moment> Before, Now;
  vtkMTimeType KeptAt = 0; // MTime of the pipeline, without its time, that the moments belong to

  void Forget()
  {
    this->Before.reset();
    this->Now.reset();
  }

  void Keep(const dem::Grains& grains, dem::ChainRecord&& chains)
  {
    if (this->Now && this->Now->Chains.time != chains.time)
    {
      this->Before = std::move(this->Now);
    }
    this->Now.reset(new Moment);
    this->Now->Chains = std::move(chains);
    this->Now->Position.assign(grains.position, grains.position + 3 * grains.size);
    this->Now->Id.resize(grains.size);
    for (std::size_t i = 0; i < grains.size; ++i)
    {
      this->Now->Id[i] = grains.id ? grains.id[i] : static_cast<std::int64_t>(i);
    }
  }
};

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMForceChains);

//------------------------------------------------------------------------------
vtkDEMForceChains::vtkDEMForceChains()
  : Internals(new vtkInternals)
{
  this->SetNumberOfOutputPorts(3);
}

//------------------------------------------------------------------------------
vtkDEMForceChains::~vtkDEMForceChains() = default;

//------------------------------------------------------------------------------
int vtkDEMForceChains::FillOutputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), port == EVENTS ? "vtkTable" : "vtkPolyData");
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMForceChains::RequestData(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  auto* particles = vtkPointSet::GetData(inputVector[INPUT_PARTICLES], 0);
  vtkInternals& internals = *this->Internals;
  const bool chained = this->Method == FORCE_CHAINS;
  vtkMTimeType changedAt = this->GetMTime();
  if (auto* executive = vtkDemandDrivenPipeline::SafeDownCast(this->GetExecutive()))
  {
    changedAt = std::max(changedAt, executive->GetPipelineMTime());
  }
  if (internals.KeptAt != changedAt)
  {
    internals.Forget(); // chains by other rules, or of another run, cannot be compared
    internals.KeptAt = changedAt;
  }

  ChainLines lines;
  dem::ForceChains chains;
  dem::StrongNetwork strong;
  std::vector<dem::ChainEvent> events;
  double from = 0;
  double to = 0;
  try
  {
    const dem::Device device = dem::chooseDevice(static_cast<dem::DeviceKind>(this->Device));
    vtkDEMGrainInput::GrainOptions options;
    options.RadiusArray = this->RadiusArray;
    vtkDEMArrays::RequireOneProcess(particles, "force chains");
    const vtkDEMGrainInput::GrainArrays grains = vtkDEMGrainInput::ReadGrains(particles, options);
    vtkPolyData* known = this->GetKnownContacts(inputVector, particles);
    if (!known && grains.View.size > 0)
    {
      throw dem::Error("Force chains need the contacts with their forces, which these points do "
                       "not have. Put DEM Contact Network with a Force Law on them and choose it "
                       "as List Of Contacts.");
    }
    this->UpdateProgress(0.1);
    const vtkDEMGrainInput::ContactArrays contacts =
      vtkDEMGrainInput::ReadContacts(known, particles, grains);
    this->UpdateProgress(0.4);
    if (chained)
    {
      dem::ChainOptions rules;
      rules.stress_factor = this->StressFactor;
      rules.largest_angle = vtkMath::RadiansFromDegrees(this->LargestAngle);
      rules.fewest_grains = this->FewestGrains;
      chains = dem::findForceChains(grains.View, contacts.View, rules, device);
      double time = 0;
      const bool timed = vtkDEMGrainInput::GetTime(particles, time);
      dem::ChainRecord record = dem::recordChains(grains.View, contacts.View, chains, time);
      FillChains(contacts.View, chains, record, lines);
      if (timed)
      {
        internals.Keep(grains.View, std::move(record));
      }
      if (timed && internals.Before)
      {
        const bool forward = internals.Before->Chains.time < time;
        const auto& earlier = forward ? *internals.Before : *internals.Now;
        const auto& later = forward ? *internals.Now : *internals.Before;
        from = earlier.Chains.time;
        to = later.Chains.time;
        events = dem::compareChains(earlier.Chains, later.Chains, later.Grains(),
          vtkMath::RadiansFromDegrees(this->BucklingAngle));
      }
    }
    else
    {
      strong = dem::findStrongNetwork(grains.View, contacts.View, this->ForceFactor);
      FillStrong(contacts, strong, lines);
    }
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< e.what());
    chains = {};
    strong = {};
    events.clear();
    internals.Forget();
  }

  vtkPolyData* output = vtkPolyData::GetData(outputVector, CHAINS);
  lines.Give(output, chained);
  FillParticles(particles, chained ? chains.chain : strong.grain, chained ? &chains : nullptr,
    vtkPolyData::GetData(outputVector, PARTICLES));
  FillEvents(events, from, to, vtkTable::GetData(outputVector, EVENTS));
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMForceChains::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Method: " << this->Method << endl;
  os << indent << "StressFactor: " << this->StressFactor << endl;
  os << indent << "LargestAngle: " << this->LargestAngle << endl;
  os << indent << "FewestGrains: " << this->FewestGrains << endl;
  os << indent << "ForceFactor: " << this->ForceFactor << endl;
  os << indent << "BucklingAngle: " << this->BucklingAngle << endl;
}
