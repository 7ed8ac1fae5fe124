#include "vtkDEMStore.h"

#include "Core/CheckpointFile.h"
#include "Core/Error.h"
#include "Core/RankChannel.h"

#include <vtksys/SystemTools.hxx>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <vector>

//------------------------------------------------------------------------------
void vtkDEMStore::Set(
  bool on, const std::string& file, int kept, const std::string& restart, dem::RankChannel* ranks)
{
  if (file != this->File)
  {
    this->Written.clear(); // those of another name stay
  }
  this->IsOn = on;
  this->File = file;
  this->Kept = kept;
  this->Restart = restart.empty() ? "" : vtksys::SystemTools::CollapseFullPath(restart);
  this->Ranks = ranks;
}

//------------------------------------------------------------------------------
bool vtkDEMStore::Writes() const { return !this->Ranks || this->Ranks->rank() == 0; }

//------------------------------------------------------------------------------
std::string vtkDEMStore::NameOf(const std::string& file, std::uint64_t number)
{
  char text[32];
  std::snprintf(text, sizeof(text), "_%06llu", static_cast<unsigned long long>(number));
  const std::string extension = vtksys::SystemTools::GetFilenameLastExtension(file);
  return file.substr(0, file.size() - extension.size()) + text + extension;
}

//------------------------------------------------------------------------------
// Throws `error`, if it is not empty, on all ranks. Collective.
void vtkDEMStore::ThrowOnAll(const std::string& error) const
{
  char failed = error.empty() ? 0 : 1;
  if (this->Ranks)
  {
    std::vector<char> all(static_cast<std::size_t>(this->Ranks->ranks()));
    this->Ranks->allGather(&failed, 1, all.data());
    failed = all[0];
  }
  if (failed)
  {
    throw dem::Error(error.empty() ? "The first rank cannot write checkpoints." : error);
  }
}

//------------------------------------------------------------------------------
void vtkDEMStore::Check() const
{
  if (!this->IsOn)
  {
    return;
  }
  std::string error;
  const std::string off = " CheckpointInterval 0 writes no files.";
  if (this->File.empty())
  {
    error = "CheckpointInterval is above 0, but CheckpointFile is empty: name the file from which "
            "the names of the checkpoints are made, such as run.dem-checkpoint." +
      off;
  }
  else if (this->Writes())
  {
    const std::string path = vtksys::SystemTools::GetFilenamePath(this->File);
    const std::string folder = path.empty() ? "." : path;
    if (!vtksys::SystemTools::FileIsDirectory(folder))
    {
      error = "The folder '" + folder +
        "' of CheckpointFile does not exist: make it, or choose another file." + off;
    }
    else if (!vtksys::SystemTools::TestFileAccess(folder, vtksys::TEST_FILE_WRITE))
    {
      error = "The folder '" + folder +
        "' of CheckpointFile is not writable: change its permissions, or choose another file." +
        off;
    }
  }
  this->ThrowOnAll(error);
}

//------------------------------------------------------------------------------
void vtkDEMStore::RemoveOldest()
{
  const std::string name = this->Written.front();
  this->Written.pop_front();
  if (vtksys::SystemTools::CollapseFullPath(name) != this->Restart)
  {
    std::remove(name.c_str());
  }
}

//------------------------------------------------------------------------------
// Any exception of the first rank reaches ThrowOnAll, where the other ranks wait.
void vtkDEMStore::Write(const dem::SnapshotBytes& state, std::uint64_t number)
{
  std::string error;
  if (this->Writes())
  {
    const std::string after = " The run stopped there and nothing is lost. Free space or change "
                              "CheckpointFile, then Apply or choose another time to go on. "
                              "CheckpointInterval 0 writes no files.";
    std::string name;
    try
    {
      name = NameOf(this->File, number);
      dem::writeSnapshotFile(name, state);
      this->Written.erase(
        std::remove(this->Written.begin(), this->Written.end(), name), this->Written.end());
      this->Written.push_back(name);
      while (this->Kept > 0 && this->Written.size() > static_cast<std::size_t>(this->Kept))
      {
        this->RemoveOldest();
      }
    }
    catch (const dem::Error& e)
    {
      error = e.what() + after;
    }
    catch (const std::exception& e)
    {
      error = "The checkpoint '" + name + "' cannot be written: " + e.what() + "." + after;
    }
  }
  this->ThrowOnAll(error);
}
