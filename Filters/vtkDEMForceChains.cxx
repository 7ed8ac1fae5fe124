#include "vtkDEMForceChains.h"

#include "Analysis/ChainEvents.h"
#include "Analysis/ForceChains.h"
#include "Analysis/StrongNetwork.h"
#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMContactInput.h"
#include "Bridge/vtkDEMFrameInput.h"
#include "Bridge/vtkDEMGrainInput.h"
#include "Bridge/vtkDEMParallel.h"
#include "Core/Error.h"
#include "Core/Vec.h"
#include "detail/vtkDEMLabels.h"

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
void FillChains(const dem::ForceChains& chains, vtkPolyData* output)
{
  using vtkDEMArrays::Share;
  const std::size_t size = chains.size();
  // Members of a chain are consecutive points; a ring ends at its first point.
  std::size_t rings = 0;
  dem::HostArray<std::int64_t> offsets(size + 1);
  dem::HostArray<std::int32_t> number(size);
  dem::HostArray<std::int32_t> grains(size);
  offsets[0] = 0;
  for (std::size_t k = 0; k < size; ++k)
  {
    rings += chains.ring(k) ? 1 : 0;
    offsets[k + 1] = chains.start[k + 1] + static_cast<std::int64_t>(rings);
    number[k] = static_cast<std::int32_t>(k);
    grains[k] = static_cast<std::int32_t>(chains.start[k + 1] - chains.start[k]);
  }
  dem::HostArray<std::int64_t> corners(static_cast<std::size_t>(offsets[size]));
  vtkDEMParallel::For(static_cast<vtkIdType>(size),
    [&](vtkIdType begin, vtkIdType end)
    {
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
      {
        std::int64_t* corner = corners.data() + offsets[k];
        for (std::int64_t m = chains.start[k]; m < chains.start[k + 1]; ++m)
        {
          *corner++ = m;
        }
        if (chains.ring(k))
        {
          *corner = chains.start[k];
        }
      }
    });
  vtkNew<vtkPoints> points;
  points->SetData(Share<vtkDoubleArray>(chains.place, "Points", 3));
  output->SetPoints(points);
  vtkNew<vtkCellArray> lines;
  lines->SetData(Share<vtkIdTypeArray>(offsets, "Offsets", 1),
    Share<vtkIdTypeArray>(corners, "Connectivity", 1));
  output->SetLines(lines);
  vtkPointData* atPoints = output->GetPointData();
  atPoints->AddArray(Share<vtkIdTypeArray>(chains.id, "Id", 1));
  atPoints->AddArray(Share<vtkDoubleArray>(chains.member_load, "Load", 1));
  atPoints->AddArray(Share<vtkDoubleArray>(chains.force, "Force", 1));
  atPoints->SetActiveScalars("Force");
  vtkCellData* ofLines = output->GetCellData();
  ofLines->AddArray(Share<vtkIntArray>(number, "ChainId", 1));
  ofLines->AddArray(Share<vtkIntArray>(grains, "GrainCount", 1));
  ofLines->AddArray(Share<vtkDoubleArray>(chains.length, "Length", 1));
  ofLines->AddArray(Share<vtkDoubleArray>(chains.mean_force, "MeanForce", 1));
}

//------------------------------------------------------------------------------
// One line per contact, with two points of its own.
void FillStrong(const dem::StrongNetwork& strong, vtkPolyData* output)
{
  using vtkDEMArrays::Share;
  const std::size_t size = strong.contact.size();
  dem::HostArray<std::int64_t> offsets(size + 1), corners(2 * size);
  dem::HostArray<double> atPoints(2 * size);
  offsets[0] = 0;
  vtkDEMParallel::For(static_cast<vtkIdType>(size),
    [&](vtkIdType begin, vtkIdType end)
    {
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
      {
        offsets[k + 1] = static_cast<std::int64_t>(2 * k + 2);
        for (std::size_t j = 2 * k; j < 2 * k + 2; ++j)
        {
          corners[j] = static_cast<std::int64_t>(j);
          atPoints[j] = strong.force[k];
        }
      }
    });
  vtkNew<vtkPoints> points;
  points->SetData(Share<vtkDoubleArray>(strong.place, "Points", 3));
  output->SetPoints(points);
  vtkNew<vtkCellArray> lines;
  lines->SetData(Share<vtkIdTypeArray>(offsets, "Offsets", 1),
    Share<vtkIdTypeArray>(corners, "Connectivity", 1));
  output->SetLines(lines);
  output->GetPointData()->AddArray(Share<vtkIdTypeArray>(strong.id, "Id", 1));
  output->GetPointData()->AddArray(Share<vtkDoubleArray>(atPoints, "Force", 1));
  output->GetPointData()->SetActiveScalars("Force");
  vtkCellData* ofLines = output->GetCellData();
  ofLines->AddArray(Share<vtkIntArray>(strong.cluster, "ChainId", 1));
  ofLines->AddArray(Share<vtkIntArray>(strong.cluster_grains, "GrainCount", 1));
  ofLines->AddArray(Share<vtkDoubleArray>(strong.length, "Length", 1));
  ofLines->AddArray(Share<vtkDoubleArray>(strong.force, "MeanForce", 1));
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
  dem::HostArray<std::uint8_t> member(static_cast<std::size_t>(size));
  vtkDEMParallel::For(size,
    [&](vtkIdType begin, vtkIdType end)
    {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      {
        member[i] = chain[i] >= 0 ? 1 : 0;
      }
    });
  const dem::HostArray<std::int32_t> none;
  data->AddArray(vtkDEMArrays::Share<vtkIntArray>(size > 0 ? chain : none, "ForceChain", 1));
  data->AddArray(vtkDEMArrays::Share<vtkUnsignedCharArray>(member, "InForceChain", 1));
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
  // Chains and grains of a time that was shown, for comparison with another.
  struct Moment
  {
    dem::ChainRecord Chains;
    dem::HostArray<std::int64_t> Id;
    dem::HostArray<double> Position;

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
  vtkMTimeType KeptAt = 0; // MTime of the pipeline for which the moments are valid

  void Forget()
  {
    this->Before.reset();
    this->Now.reset();
  }

  // Keeps the memory of `frame`, or copies of `grains` if it is null.
  void Keep(const dem::Frame* frame, const dem::Grains& grains, dem::ChainRecord&& chains)
  {
    if (this->Now && this->Now->Chains.time != chains.time)
    {
      this->Before = std::move(this->Now);
    }
    this->Now.reset(new Moment);
    this->Now->Chains = std::move(chains);
    if (frame)
    {
      this->Now->Position = frame->position;
      this->Now->Id = frame->id;
      return;
    }
    this->Now->Position = dem::HostArray<double>(3 * grains.size);
    std::copy_n(grains.position, 3 * grains.size, this->Now->Position.data());
    this->Now->Id = dem::HostArray<std::int64_t>(grains.size);
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
// Result of one request.
struct vtkDEMForceChains::Result
{
  bool FromFrame = false; // read from a frame of the run, not from arrays
  dem::ForceChains Chains;
  dem::StrongNetwork Strong;
  std::vector<dem::ChainEvent> Events;
  double From = 0; // times of the events, s
  double To = 0;
};

//------------------------------------------------------------------------------
// Discards the kept chains if the filter or its input has changed: they cannot be compared.
void vtkDEMForceChains::CheckMoments()
{
  vtkMTimeType changedAt = this->GetMTime();
  if (auto* executive = vtkDemandDrivenPipeline::SafeDownCast(this->GetExecutive()))
  {
    changedAt = std::max(changedAt, executive->GetPipelineMTime());
  }
  vtkInternals& internals = *this->Internals;
  if (internals.KeptAt != changedAt)
  {
    internals.Forget();
    internals.KeptAt = changedAt;
  }
}

//------------------------------------------------------------------------------
// Finds the chains or the strong network of the input. Throws dem::Error.
void vtkDEMForceChains::Compute(
  vtkPointSet* particles, const vtkSmartPointer<vtkPolyData>& known, Result& result)
{
  const dem::Device device = dem::chooseDevice(static_cast<dem::DeviceKind>(this->Device));
  vtkDEMGrainInput::GrainOptions options;
  options.RadiusArray = this->RadiusArray;
  vtkDEMFrameInput::FrameInput frame;
  if (known)
  {
    frame = vtkDEMFrameInput::Find(particles, known, options, device);
  }
  vtkDEMGrainInput::GrainArrays grains;
  vtkDEMContactInput::ContactArrays contacts;
  if (frame)
  {
    grains.View = frame.Grains;
    contacts.View = frame.Contacts;
  }
  else
  {
    grains = vtkDEMGrainInput::ReadGrains(particles, options);
  }
  if (!known && grains.View.size > 0)
  {
    throw dem::Error("Force chains need the contacts with their forces, which these points do "
                     "not have. Put DEM Contact Network with a Force Law on them and choose it "
                     "as ListOfContacts.");
  }
  this->UpdateProgress(0.1);
  if (!frame)
  {
    contacts = vtkDEMContactInput::Read(known, particles, grains);
  }
  this->UpdateProgress(0.4);
  if (this->Method == FORCE_CHAINS)
  {
    dem::ChainOptions rules;
    rules.stress_factor = this->StressFactor;
    rules.largest_angle = vtkMath::RadiansFromDegrees(this->LargestAngle);
    rules.fewest_grains = this->FewestGrains;
    result.Chains = dem::findForceChains(grains.View, contacts.View, rules, device);
    double time = 0;
    if (vtkDEMGrainInput::GetTime(particles, time))
    {
      this->Internals->Keep(frame.Shown.get(), grains.View, dem::recordChains(result.Chains, time));
      this->Compare(time, result);
    }
  }
  else
  {
    result.Strong = dem::findStrongNetwork(grains.View, contacts.View, this->ForceFactor, device);
  }
  result.FromFrame = static_cast<bool>(frame);
}

//------------------------------------------------------------------------------
// The events between the last two times, if there are two. `time` is that of the present chains, s.
void vtkDEMForceChains::Compare(double time, Result& result)
{
  const vtkInternals& internals = *this->Internals;
  if (!internals.Before)
  {
    return;
  }
  const bool forward = internals.Before->Chains.time < time;
  const auto& earlier = forward ? *internals.Before : *internals.Now;
  const auto& later = forward ? *internals.Now : *internals.Before;
  result.From = earlier.Chains.time;
  result.To = later.Chains.time;
  result.Events = dem::compareChains(
    earlier.Chains, later.Chains, later.Grains(), vtkMath::RadiansFromDegrees(this->BucklingAngle));
}

//------------------------------------------------------------------------------
int vtkDEMForceChains::RequestData(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  this->CheckMoments();
  Inputs inputs;
  Result result;
  try
  {
    inputs = this->ReadInputs(inputVector);
    this->Compute(inputs.Particles, inputs.Contacts, result);
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< vtkDEMLabels::InMessage(e.what()));
    result = {};
    this->Internals->Forget();
  }

  const bool chained = this->Method == FORCE_CHAINS;
  vtkPolyData* output = vtkPolyData::GetData(outputVector, CHAINS);
  if (chained)
  {
    FillChains(result.Chains, output);
  }
  else
  {
    FillStrong(result.Strong, output);
  }
  vtkDEMFrameInput::AddSource(output->GetFieldData(), result.FromFrame);
  FillParticles(inputs.Particles, chained ? result.Chains.chain : result.Strong.grain,
    chained ? &result.Chains : nullptr, vtkPolyData::GetData(outputVector, PARTICLES));
  FillEvents(result.Events, result.From, result.To, vtkTable::GetData(outputVector, EVENTS));
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
