#include "vtkDEMContactNetwork.h"

#include "Analysis/ContactNetwork.h"
#include "Analysis/ContactSearch.h"
#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMContactInput.h"
#include "Bridge/vtkDEMFrameInput.h"
#include "Bridge/vtkDEMGrainInput.h"
#include "Bridge/vtkDEMGrainParts.h"
#include "Bridge/vtkDEMParallel.h"
#include "Core/Error.h"
#include "detail/vtkDEMLabels.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkFloatArray.h"
#include "vtkIdList.h"
#include "vtkIdTypeArray.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkTable.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>

namespace
{

//------------------------------------------------------------------------------
// Lines 0 1, 2 3, ..., each with two points of its own.
vtkSmartPointer<vtkCellArray> PairedLines(vtkIdType size)
{
  dem::HostArray<std::int64_t> offsets(static_cast<std::size_t>(size) + 1);
  dem::HostArray<std::int64_t> corners(2 * static_cast<std::size_t>(size));
  std::int64_t* offset = offsets.data();
  std::int64_t* corner = corners.data();
  vtkDEMParallel::For(size,
    [=](vtkIdType begin, vtkIdType end)
    {
      for (vtkIdType i = begin; i < end; ++i)
      {
        offset[i] = 2 * i;
        corner[2 * i] = 2 * i;
        corner[2 * i + 1] = 2 * i + 1;
      }
    });
  offset[size] = 2 * size;
  auto lines = vtkSmartPointer<vtkCellArray>::New();
  lines->SetData(vtkDEMArrays::Share<vtkIdTypeArray>(offsets, "Offsets", 1),
    vtkDEMArrays::Share<vtkIdTypeArray>(corners, "Connectivity", 1));
  return lines;
}

//------------------------------------------------------------------------------
// The contacts without those with walls. Null if there are none with walls, or if the cells are not
// valid contacts, which is an error later.
vtkSmartPointer<vtkPolyData> WithoutWalls(vtkPolyData* contacts)
{
  vtkDataArray* ids = contacts->GetCellData()->GetArray("ParticleIds");
  if (!ids || ids->GetNumberOfComponents() != 2 || !contacts->GetLines() ||
    ids->GetNumberOfTuples() != contacts->GetNumberOfCells() ||
    contacts->GetLines()->GetNumberOfCells() != contacts->GetNumberOfCells())
  {
    return nullptr;
  }
  vtkNew<vtkIdList> kept;
  for (vtkIdType i = 0; i < ids->GetNumberOfTuples(); ++i)
  {
    if (ids->GetComponent(i, 1) >= 0)
    {
      kept->InsertNextId(i);
    }
  }
  if (kept->GetNumberOfIds() == ids->GetNumberOfTuples())
  {
    return nullptr;
  }
  // Each line has two points of its own.
  auto pairs = vtkSmartPointer<vtkPolyData>::New();
  const vtkIdType size = kept->GetNumberOfIds();
  dem::HostArray<double> places(6 * static_cast<std::size_t>(size));
  dem::HostArray<std::int64_t> names(2 * static_cast<std::size_t>(size));
  vtkNew<vtkIdList> scratch;
  for (vtkIdType i = 0; i < size; ++i)
  {
    contacts->GetLines()->GetCellAtId(kept->GetId(i), scratch);
    if (scratch->GetNumberOfIds() != 2)
    {
      return nullptr;
    }
    for (int k = 0; k < 2; ++k)
    {
      contacts->GetPoints()->GetPoint(scratch->GetId(k), places.data() + 6 * i + 3 * k);
      names.data()[2 * i + k] = static_cast<std::int64_t>(ids->GetComponent(kept->GetId(i), k));
    }
  }
  vtkNew<vtkPoints> points;
  points->SetData(vtkDEMArrays::Share<vtkDoubleArray>(places, "Points", 3));
  pairs->SetPoints(points);
  pairs->SetLines(PairedLines(size));
  pairs->GetPointData()->AddArray(vtkDEMArrays::Share<vtkIdTypeArray>(names, "Id", 1));
  pairs->GetCellData()->CopyAllocate(contacts->GetCellData(), kept->GetNumberOfIds());
  pairs->GetCellData()->CopyData(contacts->GetCellData(), kept);
  pairs->GetFieldData()->PassData(contacts->GetFieldData());
  if (contacts->GetInformation()->Has(vtkDataObject::DATA_TIME_STEP()))
  {
    pairs->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(),
      contacts->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP()));
  }
  return pairs;
}

//------------------------------------------------------------------------------
// Contacts found by radii as those that are read. `ids` are the Ids of the grains on the host; null
// = their indices.
vtkDEMContactInput::ContactArrays FromFound(
  const dem::FoundContacts& found, const std::int64_t* ids, const dem::Device& device)
{
  vtkDEMContactInput::ContactArrays contacts;
  contacts.First = found.first;
  contacts.Second = found.second;
  contacts.FirstPlace = found.first_place;
  contacts.SecondPlace = found.second_place;
  contacts.Point = found.point;
  contacts.Overlap = found.overlap;
  contacts.Ids = dem::HostArray<std::int64_t>(2 * found.size);
  vtkDEMParallel::For(static_cast<vtkIdType>(found.size),
    [&](vtkIdType begin, vtkIdType end)
    {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      {
        const std::int64_t pair[2] = { contacts.First[i], contacts.Second[i] };
        for (int k = 0; k < 2; ++k)
        {
          contacts.Ids[2 * i + k] = ids ? ids[pair[k]] : pair[k];
        }
      }
    });
  contacts.View = found.viewOn(device);
  return contacts;
}

//------------------------------------------------------------------------------
// The array `name` of `own` if it has floats, else `values` as floats.
vtkSmartPointer<vtkDataArray> Floats(
  vtkCellData* own, const dem::HostArray<double>& values, const char* name, int components)
{
  auto* given = own ? vtkFloatArray::SafeDownCast(own->GetArray(name)) : nullptr;
  if (given && given->GetNumberOfComponents() == components)
  {
    return given;
  }
  dem::HostArray<float> floats(values.size());
  vtkDEMParallel::For(static_cast<vtkIdType>(values.size()),
    [&](vtkIdType begin, vtkIdType end)
    { std::copy(values.data() + begin, values.data() + end, floats.data() + begin); });
  return vtkDEMArrays::Share<vtkFloatArray>(floats, name, components);
}

//------------------------------------------------------------------------------
// An array for points with each value of the lines twice.
vtkSmartPointer<vtkFloatArray> ForBothEnds(vtkDataArray* values)
{
  const vtkIdType size = values->GetNumberOfValues();
  const float* from = vtkFloatArray::SafeDownCast(values)->GetPointer(0);
  dem::HostArray<float> both(2 * static_cast<std::size_t>(size));
  vtkDEMParallel::For(size,
    [&](vtkIdType begin, vtkIdType end)
    {
      for (vtkIdType i = begin; i < end; ++i)
      {
        both.data()[2 * i] = both.data()[2 * i + 1] = from[i];
      }
    });
  return vtkDEMArrays::Share<vtkFloatArray>(both, values->GetName(), 1);
}

//------------------------------------------------------------------------------
// Fills port 0. `carried` are arrays to pass on, or null. `shown` are the contacts of the frame,
// whose lines are used, or null.
void FillNetwork(const vtkDEMContactInput::ContactArrays& contacts,
  const dem::ContactNetwork& network, vtkCellData* carried, vtkPolyData* shown, bool forces,
  vtkPolyData* output)
{
  using vtkDEMArrays::Share;
  const auto size = static_cast<vtkIdType>(network.wall.size());
  vtkCellData* data = output->GetCellData();
  if (carried)
  {
    data->PassData(carried);
  }
  if (shown)
  {
    output->SetPoints(shown->GetPoints());
    output->SetLines(shown->GetLines());
    output->GetPointData()->AddArray(shown->GetPointData()->GetArray("Id"));
  }
  else
  {
    dem::HostArray<double> ends(6 * static_cast<std::size_t>(size));
    vtkDEMParallel::For(size,
      [&](vtkIdType begin, vtkIdType end)
      {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        {
          std::copy_n(contacts.FirstPlace.data() + 3 * i, 3, ends.data() + 6 * i);
          std::copy_n(contacts.SecondPlace.data() + 3 * i, 3, ends.data() + 6 * i + 3);
        }
      });
    vtkNew<vtkPoints> points;
    points->SetData(Share<vtkDoubleArray>(ends, "Points", 3));
    output->SetPoints(points);
    output->SetLines(PairedLines(size));
    output->GetPointData()->AddArray(Share<vtkIdTypeArray>(contacts.Ids, "Id", 1));
    data->AddArray(Share<vtkIdTypeArray>(contacts.Ids, "ParticleIds", 2));
  }
  data->AddArray(Share<vtkFloatArray>(network.normal, "Normal", 3));
  auto overlap = Floats(carried, contacts.Overlap, "Overlap", 1);
  data->AddArray(overlap);
  data->AddArray(Share<vtkDoubleArray>(network.point, "ContactPoint", 3));
  data->AddArray(Share<vtkUnsignedCharArray>(network.wall, "WallContact", 1));
  if (!forces)
  {
    output->GetPointData()->AddArray(ForBothEnds(overlap));
    output->GetPointData()->SetActiveScalars("Overlap");
    return;
  }
  auto magnitude = Share<vtkFloatArray>(network.normal_magnitude, "NormalForceMagnitude", 1);
  if (network.estimated_force.empty())
  {
    data->AddArray(Floats(carried, contacts.NormalForce, "NormalForce", 3));
  }
  else
  {
    data->AddArray(Share<vtkFloatArray>(network.estimated_force, "NormalForce", 3));
  }
  data->AddArray(magnitude);
  if (contacts.View.tangential_force || size == 0)
  {
    data->AddArray(Floats(carried, contacts.TangentialForce, "TangentialForce", 3));
    data->AddArray(
      Share<vtkFloatArray>(network.tangential_magnitude, "TangentialForceMagnitude", 1));
  }
  output->GetPointData()->AddArray(ForBothEnds(magnitude));
  output->GetPointData()->SetActiveScalars("NormalForceMagnitude");
}

//------------------------------------------------------------------------------
void FillScalars(const dem::NetworkTotals& totals, const std::string& device, double time,
  bool sliding, vtkPolyData* network, vtkTable* table)
{
  vtkNew<vtkFieldData> row;
  const auto number = [&](const char* name, double value)
  { vtkDEMArrays::AddNumber(row, name, value); };
  const auto integer = [&](const char* name, std::uint64_t value)
  { vtkDEMArrays::AddInteger(row, name, static_cast<std::int64_t>(value)); };
  number("Time", time);
  integer("GrainCount", totals.grains);
  integer("ContactCount", totals.contacts);
  integer("WallContactCount", totals.wall_contacts);
  integer("RattlerCount", totals.rattlers);
  number("CoordinationNumber", totals.coordination_number);
  number("MechanicalCoordinationNumber", totals.mechanical_coordination_number);
  constexpr const char* fabric[6] = { "FabricXX", "FabricYY", "FabricZZ", "FabricXY", "FabricYZ",
    "FabricXZ" };
  for (int k = 0; k < 6; ++k)
  {
    number(fabric[k], totals.fabric[k]);
  }
  number("LargestFabric", totals.fabric_values[0]);
  number("MiddleFabric", totals.fabric_values[1]);
  number("SmallestFabric", totals.fabric_values[2]);
  number("Anisotropy", totals.anisotropy);
  if (sliding)
  {
    number("SlidingFraction", totals.sliding_fraction);
  }
  number("MeanNormalForce", totals.mean_normal_force);
  number("MeanTangentialForce", totals.mean_tangential_force);
  number("LargestNormalForce", totals.largest_normal_force);
  vtkDEMArrays::AddText(row, "Device", device);
  for (int i = 0; i < row->GetNumberOfArrays(); ++i)
  {
    vtkAbstractArray* column = row->GetAbstractArray(i);
    if (totals.grains == 0)
    {
      column->SetNumberOfTuples(0);
    }
    else
    {
      network->GetFieldData()->AddArray(column);
    }
    table->AddColumn(column);
  }
}

//------------------------------------------------------------------------------
void FillDistribution(const dem::ForceDistribution& distribution, vtkTable* table)
{
  vtkNew<vtkDoubleArray> force;
  force->SetName("Force");
  vtkNew<vtkDoubleArray> probability;
  probability->SetName("Probability");
  vtkNew<vtkIdTypeArray> count;
  count->SetName("Count");
  vtkNew<vtkDoubleArray> model;
  model->SetName("QModel");
  for (std::size_t bin = 0; bin < distribution.count.size() && distribution.total > 0; ++bin)
  {
    force->InsertNextValue(distribution.force(bin));
    probability->InsertNextValue(distribution.density(bin));
    count->InsertNextValue(static_cast<vtkIdType>(distribution.count[bin]));
    model->InsertNextValue(dem::ForceDistribution::qModel(distribution.force(bin)));
  }
  table->AddColumn(force);
  table->AddColumn(probability);
  table->AddColumn(count);
  table->AddColumn(model);
}

} // namespace

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMContactNetwork);

//------------------------------------------------------------------------------
vtkDEMContactNetwork::vtkDEMContactNetwork() { this->SetNumberOfOutputPorts(3); }

//------------------------------------------------------------------------------
vtkDEMContactNetwork::~vtkDEMContactNetwork() = default;

//------------------------------------------------------------------------------
int vtkDEMContactNetwork::FillOutputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), port == NETWORK ? "vtkPolyData" : "vtkTable");
  return 1;
}

//------------------------------------------------------------------------------
// Grains and contacts, with what owns their memory.
struct vtkDEMContactNetwork::Input
{
  vtkSmartPointer<vtkPointSet> Particles;
  dem::Device Device;
  vtkDEMFrameInput::FrameInput Frame; // or none
  vtkDEMGrainInput::GrainArrays Grains;
  vtkDEMContactInput::ContactArrays Contacts;
  dem::FoundContacts Found;           // by radii, without known contacts
  vtkSmartPointer<vtkPolyData> Known; // contacts of the input, those shown
  vtkCellData* Carried = nullptr;     // of Known: arrays that the network passes on
  vtkPolyData* Shown = nullptr;       // Known, if its lines are those of the frame
};

//------------------------------------------------------------------------------
// Reads the grains and reads or finds their contacts. Throws dem::Error.
void vtkDEMContactNetwork::ReadInput(Input& input)
{
  vtkDEMGrainInput::GrainOptions options;
  options.RadiusArray = this->RadiusArray;
  if (this->ContactSource != AUTOMATIC)
  {
    input.Known = nullptr;
  }
  if (input.Known || !vtkDEMGrainParts::Any(input.Particles)) // parts of grains are on the host
  {
    input.Frame = vtkDEMFrameInput::Find(input.Particles, input.Known, options, input.Device);
  }
  if (input.Frame)
  {
    input.Grains.View = input.Frame.Grains;
    input.Contacts.View = input.Frame.Contacts;
  }
  else
  {
    input.Grains = vtkDEMGrainInput::ReadGrains(input.Particles, options);
  }
  this->UpdateProgress(0.1);

  if (input.Known)
  {
    const auto pairs = this->ShowWallContacts ? nullptr : WithoutWalls(input.Known);
    input.Known = pairs ? pairs : input.Known;
    if (input.Frame)
    {
      input.Shown = input.Known->GetNumberOfCells() > 0 ? input.Known.Get() : nullptr;
    }
    else
    {
      input.Contacts = vtkDEMContactInput::Read(input.Known, input.Particles, input.Grains);
    }
    input.Carried = input.Known->GetCellData();
  }
  else
  {
    dem::ContactSearchOptions search;
    search.tolerance = this->Tolerance;
    const vtkDEMGrainInput::PeriodicAxes periodic = vtkDEMGrainInput::GetPeriodicAxes(
      input.Particles, this->Periodic, this->PeriodicBox, this->PeriodicOfData);
    search.lower = periodic.Lower;
    search.period = periodic.Period;
    input.Found =
      vtkDEMGrainParts::FindContacts(input.Particles, input.Grains.View, search, input.Device);
    input.Contacts = FromFound(
      input.Found, input.Frame ? input.Frame.Shown->id.data() : input.Grains.View.id, input.Device);
  }
  this->UpdateProgress(0.5);
}

//------------------------------------------------------------------------------
int vtkDEMContactNetwork::RequestData(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  Input input;
  dem::ContactNetwork network;
  dem::NetworkOptions options;
  options.estimate.law = static_cast<dem::ForceLaw>(this->ForceLaw);
  options.estimate.youngs_modulus = this->YoungsModulus;
  options.estimate.poissons_ratio = this->PoissonsRatio;
  options.estimate.stiffness = this->NormalStiffness;
  options.walls = this->ShowWallContacts;
  options.rattler_contacts = this->RattlerContacts;
  options.bins = this->NumberOfBins;
  options.largest_force = this->LargestForce;
  double time = 0;
  try
  {
    const Inputs inputs = this->ReadInputs(inputVector); // first, since it is collective
    input.Particles = inputs.Particles;
    input.Known = inputs.Contacts;
    input.Device = dem::chooseDevice(static_cast<dem::DeviceKind>(this->Device));
    vtkDEMGrainInput::GetTime(input.Particles, time);
    this->ReadInput(input);
    auto* sliding = input.Carried
      ? vtkUnsignedCharArray::SafeDownCast(input.Carried->GetArray("Sliding"))
      : nullptr;
    dem::GrainContacts& contacts = input.Contacts.View;
    if (!input.Frame && sliding && contacts.size > 0 &&
      sliding->GetNumberOfValues() == static_cast<vtkIdType>(contacts.size))
    {
      contacts.sliding = sliding->GetPointer(0);
    }
    network = dem::describeNetwork(input.Grains.View, contacts, options, input.Device);
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< vtkDEMLabels::InMessage(e.what()));
    input.Grains = {};
    input.Contacts = {};
    network = {};
    input.Carried = nullptr;
    input.Shown = nullptr;
    input.Frame = {};
  }

  // Without any contact, solver contacts still have all arrays of their kind, as at a later
  // instant.
  const bool forces = input.Contacts.View.normal_force || !network.estimated_force.empty() ||
    options.estimate.law != dem::ForceLaw::None ||
    (network.wall.empty() && input.Carried && input.Carried->GetArray("NormalForce"));
  vtkPolyData* output = vtkPolyData::GetData(outputVector, NETWORK);
  FillNetwork(input.Contacts, network, input.Carried, input.Shown, forces, output);
  vtkDEMFrameInput::AddSource(output->GetFieldData(), static_cast<bool>(input.Frame));
  FillScalars(network.totals, input.Device.name, time,
    input.Carried && input.Carried->GetArray("Sliding"), output,
    vtkTable::GetData(outputVector, SCALARS));
  FillDistribution(network.distribution, vtkTable::GetData(outputVector, DISTRIBUTION));
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMContactNetwork::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "ContactSource: " << this->ContactSource << endl;
  os << indent << "Tolerance: " << this->Tolerance << endl;
  os << indent << "Periodic: " << this->Periodic[0] << " " << this->Periodic[1] << " "
     << this->Periodic[2] << endl;
  os << indent << "PeriodicBox:";
  for (double bound : this->PeriodicBox)
  {
    os << " " << bound;
  }
  os << endl;
  os << indent << "PeriodicOfData: " << this->PeriodicOfData << endl;
  os << indent << "ShowWallContacts: " << this->ShowWallContacts << endl;
  os << indent << "ForceLaw: " << this->ForceLaw << endl;
  os << indent << "YoungsModulus: " << this->YoungsModulus << endl;
  os << indent << "PoissonsRatio: " << this->PoissonsRatio << endl;
  os << indent << "NormalStiffness: " << this->NormalStiffness << endl;
  os << indent << "RattlerContacts: " << this->RattlerContacts << endl;
  os << indent << "NumberOfBins: " << this->NumberOfBins << endl;
  os << indent << "LargestForce: " << this->LargestForce << endl;
}
