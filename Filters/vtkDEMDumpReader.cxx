#include "vtkDEMDumpReader.h"

#include "Analysis/DumpGrains.h"
#include "Bridge/vtkDEMArrays.h"
#include "Core/Error.h"
#include "detail/vtkDEMLabels.h"

#include "vtkCellArray.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkIdTypeArray.h"
#include "vtkErrorCode.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkIntArray.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStringArray.h"
#include "vtk_zlib.h"

#include <vtksys/FStream.hxx>
#include <vtksys/Glob.hxx>
#include <vtksys/SystemTools.hxx>

#include <algorithm>
#include <cmath>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace
{

//------------------------------------------------------------------------------
void CheckFile(const std::string& name)
{
  if (!vtksys::SystemTools::FileExists(name))
  {
    throw dem::Error(name + ": this file does not exist. Check the name and the folder.");
  }
  if (!vtksys::SystemTools::FileExists(name, true))
  {
    throw dem::Error(name + ": this is a folder, not a dump file.");
  }
}

//------------------------------------------------------------------------------
bool IsCompressed(const std::string& name)
{
  vtksys::ifstream in(name.c_str(), std::ios::in | std::ios::binary);
  char magic[2] = {};
  return in.read(magic, 2) && magic[0] == '\x1f' && magic[1] == '\x8b';
}

//------------------------------------------------------------------------------
// The text of a gzip file, or its first bytes.
std::string Unpack(const std::string& name, std::size_t most = std::string::npos)
{
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(name.c_str(), "rb"), gzclose);
  std::string text;
  std::vector<char> buffer(1 << 18);
  int got = file ? 1 : -1;
  while (got > 0 && text.size() < most)
  {
    got = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
    text.append(buffer.data(), static_cast<std::size_t>(std::max(got, 0)));
  }
  if (got < 0)
  {
    throw dem::Error(name + ": this file cannot be unpacked: it is not a complete gzip file.");
  }
  return text;
}

//------------------------------------------------------------------------------
// The text of a file, which may be compressed.
std::unique_ptr<std::istream> Open(const std::string& name)
{
  CheckFile(name);
  if (IsCompressed(name))
  {
    return std::make_unique<std::istringstream>(Unpack(name));
  }
  auto in = std::make_unique<vtksys::ifstream>(name.c_str(), std::ios::in | std::ios::binary);
  if (!*in)
  {
    throw dem::Error(
      name + ": this file cannot be opened: " + vtksys::SystemTools::GetLastSystemError() + ".");
  }
  return in;
}

//------------------------------------------------------------------------------
// The files that match a name, in order.
void Expand(const std::string& name, std::vector<std::string>& files)
{
  if (name.find_first_of("*?[") == std::string::npos || vtksys::SystemTools::FileExists(name))
  {
    files.push_back(name);
    return;
  }
  vtksys::Glob glob;
  glob.FindFiles(vtksys::SystemTools::CollapseFullPath(name));
  std::vector<std::string> found = glob.GetFiles();
  if (found.empty())
  {
    throw dem::Error(name + ": no file has such a name. Check the wildcard and the folder.");
  }
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
}

//------------------------------------------------------------------------------
void AddTuples(
  vtkPointData* data, const char* name, int components, const std::vector<double>& values)
{
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfValues(static_cast<vtkIdType>(values.size()));
  std::copy(values.begin(), values.end(), array->GetPointer(0));
  data->AddArray(array);
}

//------------------------------------------------------------------------------
void AddTuples(vtkPointData* data, const char* name, int components,
  const std::optional<std::vector<double>>& values)
{
  if (values)
  {
    AddTuples(data, name, components, *values);
  }
}

//------------------------------------------------------------------------------
void AddColumn(vtkPointData* data, const dem::DumpColumn& column)
{
  if (column.isText())
  {
    vtkNew<vtkStringArray> array;
    array->SetName(column.name.c_str());
    for (const std::string& word : column.words)
    {
      array->InsertNextValue(word);
    }
    data->AddArray(array);
  }
  else
  {
    AddTuples(data, column.name.c_str(), 1, column.numbers);
  }
}

//------------------------------------------------------------------------------
void Fill(const dem::DumpGrains& grains, const dem::DumpFrame& frame, vtkPolyData* output)
{
  const auto size = static_cast<vtkIdType>(grains.size);
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(size);
  std::copy(grains.position.begin(), grains.position.end(),
    vtkDoubleArray::SafeDownCast(points->GetData())->GetPointer(0));
  output->SetPoints(points);
  vtkNew<vtkIdTypeArray> offsets, connectivity;
  offsets->SetNumberOfValues(size + 1);
  connectivity->SetNumberOfValues(size);
  for (vtkIdType i = 0; i < size; ++i)
  {
    offsets->SetValue(i, i);
    connectivity->SetValue(i, i);
  }
  offsets->SetValue(size, size);
  vtkNew<vtkCellArray> vertices;
  vertices->SetData(offsets, connectivity);
  output->SetVerts(vertices);

  vtkPointData* data = output->GetPointData();
  vtkNew<vtkIdTypeArray> ids;
  ids->SetName("Id");
  ids->SetNumberOfValues(size);
  std::copy(grains.id.begin(), grains.id.end(), ids->GetPointer(0));
  data->SetGlobalIds(ids);
  AddTuples(data, "Radius", 1, grains.radius);
  AddTuples(data, "Velocity", 3, grains.velocity);
  AddTuples(data, "AngularVelocity", 3, grains.angular_velocity);
  AddTuples(data, "Orientation", 4, grains.orientation);
  AddTuples(data, "Force", 3, grains.force);
  AddTuples(data, "Torque", 3, grains.torque);
  AddTuples(data, "Mass", 1, grains.mass);
  if (grains.material)
  {
    vtkNew<vtkIntArray> materials;
    materials->SetName("Material");
    materials->SetNumberOfValues(size);
    std::copy(grains.material->begin(), grains.material->end(), materials->GetPointer(0));
    data->AddArray(materials);
  }
  for (const dem::DumpColumn& column : grains.others)
  {
    // Another column with one of the names above is not added: it would replace the array.
    if (!data->HasArray(column.name.c_str()))
    {
      AddColumn(data, column);
    }
  }
  for (const char* name : { "Velocity", "Radius" })
  {
    if (!data->GetScalars() && data->HasArray(name))
    {
      data->SetActiveScalars(name);
    }
  }

  vtkFieldData* fields = output->GetFieldData();
  vtkDEMArrays::AddInteger(fields, "Step", frame.step);
  if (!frame.units.empty())
  {
    vtkDEMArrays::AddText(fields, "Units", frame.units);
  }
  const bool periodic[3] = { frame.periodic(0), frame.periodic(1), frame.periodic(2) };
  vtkDEMArrays::AddBox(fields, frame.lower, frame.upper, periodic);
}

} // namespace

//------------------------------------------------------------------------------
class vtkDEMDumpReader::vtkInternals
{
public:
  struct File
  {
    unsigned long Size = 0;
    long ModifiedAt = 0;
    dem::DumpIndex Index;
  };
  struct Output
  {
    double Time;
    std::string File;
    std::size_t Frame;
  };

  std::vector<std::string> FileNames;
  std::map<std::string, File> Files; // indexed ones, by name
  std::vector<std::string> Expanded;
  std::vector<std::string> Warnings;
  bool IsIndexed = false;
  bool WarnedOfIds = false;
  std::vector<Output> Outputs;       // by time
  std::set<std::string> BeginsAgain; // files with a second run whose steps restart

  void Index()
  {
    if (this->IsIndexed)
    {
      return;
    }
    this->Warnings.clear();
    this->Expanded.clear();
    std::map<std::string, File> files;
    for (const std::string& name : this->FileNames)
    {
      Expand(name, this->Expanded);
    }
    for (const std::string& name : this->Expanded)
    {
      File file;
      file.Size = vtksys::SystemTools::FileLength(name);
      file.ModifiedAt = vtksys::SystemTools::ModifiedTime(name);
      // Unchanged files are not read again, since a series may be long.
      const auto known = this->Files.find(name);
      if (known != this->Files.end() && known->second.Size == file.Size &&
        known->second.ModifiedAt == file.ModifiedAt)
      {
        file.Index = known->second.Index;
      }
      else
      {
        file.Index = dem::indexDump(*Open(name), name);
      }
      if (!file.Index.incomplete.empty())
      {
        this->Warnings.push_back(file.Index.incomplete);
      }
      files[name] = std::move(file);
    }
    this->Files.swap(files);
    this->IsIndexed = true;
  }

  void Arrange(double timeStep, bool timesOfFile)
  {
    this->Outputs.clear();
    this->BeginsAgain.clear();
    for (const std::string& name : this->Expanded)
    {
      const std::vector<dem::DumpFrame>& frames = this->Files.at(name).Index.frames;
      // A second run, whose steps restart, may have been appended. Its frames follow those of the
      // first run.
      double shift = 0, before = 0, interval = timeStep;
      for (std::size_t k = 0; k < frames.size(); ++k)
      {
        const double stated = timesOfFile && frames[k].has_time
          ? frames[k].time
          : static_cast<double>(frames[k].step) * timeStep;
        if (k > 0 && stated + shift < before)
        {
          shift = before + interval - stated;
          this->BeginsAgain.insert(name);
        }
        const double time = stated + shift;
        if (k > 0 && time > before)
        {
          interval = time - before;
        }
        before = time;
        this->Outputs.push_back({ time, name, k });
      }
    }
    std::stable_sort(this->Outputs.begin(), this->Outputs.end(),
      [](const Output& a, const Output& b) { return a.Time < b.Time; });
    std::vector<Output> unique;
    for (Output& output : this->Outputs)
    {
      if (!unique.empty() && unique.back().Time == output.Time)
      {
        unique.back() = std::move(output);
      }
      else
      {
        unique.push_back(std::move(output));
      }
    }
    this->Outputs.swap(unique);
  }

  // The last output at or before `time`, else the first.
  const Output& At(double time) const
  {
    // Equal times of the animation may differ in their last digits.
    const double slack =
      1e-9 * std::max(std::fabs(this->Outputs.back().Time), std::fabs(this->Outputs.front().Time));
    auto after = std::upper_bound(this->Outputs.begin(), this->Outputs.end(), time + slack,
      [](double t, const Output& output) { return t < output.Time; });
    return after == this->Outputs.begin() ? *after : *(after - 1);
  }
};

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMDumpReader);

//------------------------------------------------------------------------------
vtkDEMDumpReader::vtkDEMDumpReader()
  : Internals(new vtkInternals)
{
  this->SetNumberOfInputPorts(0);
}

//------------------------------------------------------------------------------
vtkDEMDumpReader::~vtkDEMDumpReader() = default;

//------------------------------------------------------------------------------
void vtkDEMDumpReader::AddFileName(const char* fileName)
{
  if (fileName && *fileName)
  {
    this->Internals->FileNames.emplace_back(fileName);
    this->Refresh();
  }
}

//------------------------------------------------------------------------------
void vtkDEMDumpReader::ClearFileNames()
{
  if (!this->Internals->FileNames.empty())
  {
    this->Internals->FileNames.clear();
    this->Refresh();
  }
}

//------------------------------------------------------------------------------
int vtkDEMDumpReader::GetNumberOfFileNames()
{
  return static_cast<int>(this->Internals->FileNames.size());
}

//------------------------------------------------------------------------------
const char* vtkDEMDumpReader::GetFileName(int index)
{
  return index >= 0 && index < this->GetNumberOfFileNames()
    ? this->Internals->FileNames[static_cast<std::size_t>(index)].c_str()
    : nullptr;
}

//------------------------------------------------------------------------------
int vtkDEMDumpReader::CanReadFile(const char* fileName)
{
  if (!fileName || !vtksys::SystemTools::FileExists(fileName, true))
  {
    return 0;
  }
  std::unique_ptr<std::istream> opened;
  try
  {
    opened = IsCompressed(fileName) ? std::make_unique<std::istringstream>(Unpack(fileName, 1))
                                    : Open(fileName);
  }
  catch (const std::exception&)
  {
    return 0;
  }
  std::istream& in = *opened;
  std::string line;
  // UNITS and TIME, two lines each, may precede the first TIMESTEP
  for (int k = 0; k < 8 && std::getline(in, line); ++k)
  {
    if (line.compare(0, 14, "ITEM: TIMESTEP") == 0)
    {
      return 1;
    }
    if (k % 2 == 0 && line.compare(0, 5, "ITEM:") != 0)
    {
      return 0;
    }
  }
  return 0;
}

//------------------------------------------------------------------------------
void vtkDEMDumpReader::Refresh()
{
  this->Internals->IsIndexed = false;
  this->Internals->WarnedOfIds = false;
  this->Modified();
}

//------------------------------------------------------------------------------
int vtkDEMDumpReader::RequestInformation(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** vtkNotUsed(inputVector), vtkInformationVector* outputVector)
{
  this->ErrorCode = vtkErrorCode::NoError;
  vtkInformation* info = outputVector->GetInformationObject(0);
  info->Remove(vtkStreamingDemandDrivenPipeline::TIME_STEPS());
  info->Remove(vtkStreamingDemandDrivenPipeline::TIME_RANGE());
  vtkInternals& internals = *this->Internals;
  internals.Outputs.clear();
  if (internals.FileNames.empty())
  {
    // A new reader without a file name is not an error.
    return 1;
  }
  try
  {
    if (!(this->TimeStep > 0) || !std::isfinite(this->TimeStep))
    {
      throw dem::Error(
        "TimeStep must be > 0 s, but is " + vtkDEMArrays::Number(this->TimeStep) + ".");
    }
    const bool indexed = internals.IsIndexed;
    internals.Index();
    if (!indexed)
    {
      for (const std::string& warning : internals.Warnings)
      {
        vtkWarningMacro(<< vtkDEMLabels::InMessage(warning));
      }
    }
    internals.Arrange(this->TimeStep, this->UseTimesOfFile);
    for (const std::string& name : indexed ? std::set<std::string>{} : internals.BeginsAgain)
    {
      vtkWarningMacro(
        << name
        << ": the steps begin again within the file, as where a second run was appended. "
           "Its frames follow those before them, at the same interval; the time of a "
           "frame is then no longer its step number times Time Step.");
    }
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< vtkDEMLabels::InMessage(e.what()));
    this->ErrorCode = vtkErrorCode::UserError; // not by its setter, which marks this as modified
    return 1;
  }
  std::vector<double> times;
  for (const auto& output : internals.Outputs)
  {
    times.push_back(output.Time);
  }
  const double range[2] = { times.front(), times.back() };
  info->Set(
    vtkStreamingDemandDrivenPipeline::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
  info->Set(vtkStreamingDemandDrivenPipeline::TIME_RANGE(), range, 2);
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMDumpReader::RequestData(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** vtkNotUsed(inputVector), vtkInformationVector* outputVector)
{
  vtkInformation* info = outputVector->GetInformationObject(0);
  vtkPolyData* output = vtkPolyData::GetData(outputVector, 0);
  vtkInternals& internals = *this->Internals;
  if (internals.Outputs.empty())
  {
    if (internals.FileNames.empty())
    {
      vtkErrorMacro(<< "File Names is empty: name a dump file.");
    }
    this->ErrorCode = vtkErrorCode::UserError;
    return 1; // RequestInformation has shown the error
  }
  this->ErrorCode = vtkErrorCode::NoError; // of another frame
  const double asked = info->Has(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())
    ? info->Get(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())
    : internals.Outputs.front().Time;
  const vtkInternals::Output& at = internals.At(asked);
  output->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), at.Time);
  try
  {
    if (!(this->ConstantRadius >= 0) || !std::isfinite(this->ConstantRadius))
    {
      throw dem::Error(
        "ConstantRadius must be >= 0, but is " + vtkDEMArrays::Number(this->ConstantRadius) + ".");
    }
    const dem::DumpFrame& frame = internals.Files.at(at.File).Index.frames[at.Frame];
    const std::unique_ptr<std::istream> in = Open(at.File);
    const dem::DumpGrains grains = dem::readDumpGrains(*in, frame, at.File, this->ConstantRadius);
    if (!grains.has_id && !internals.WarnedOfIds && internals.Outputs.size() > 1)
    {
      internals.WarnedOfIds = true;
      vtkWarningMacro(<< at.File << ": step " << frame.step
                      << " has no column id: Id is the row, which may be another grain at another "
                         "time. Add id to the dump command.");
    }
    Fill(grains, frame, output);
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< vtkDEMLabels::InMessage(e.what()));
    this->ErrorCode = vtkErrorCode::UserError; // not by its setter, which marks this as modified
  }
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMDumpReader::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FileNames:";
  for (const std::string& name : this->Internals->FileNames)
  {
    os << " " << name;
  }
  os << endl;
  os << indent << "TimeStep: " << this->TimeStep << endl;
  os << indent << "UseTimesOfFile: " << this->UseTimesOfFile << endl;
  os << indent << "ConstantRadius: " << this->ConstantRadius << endl;
}
