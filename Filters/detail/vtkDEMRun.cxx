#include "vtkDEMRun.h"

#include <cstdio>
#include <exception>

//------------------------------------------------------------------------------
std::string vtkDEMRun::GetSearchText()
{
  dem::SearchCounts counts;
  try
  {
    if (!this->Timeline || this->Timeline->simulation().needsRestore())
    {
      return "";
    }
    counts = this->Timeline->simulation().searchCounts();
  }
  catch (const std::exception&) // which the next request tells
  {
    return "";
  }
  const dem::SearchChoice& search = counts.search;
  std::string text = dem::name(search.kind);
  char part[200];
  if (search.cell_size > 0)
  {
    std::snprintf(part, sizeof part, ", cells of %.3g m", search.cell_size);
    text += part;
  }
  if (search.levels > 1)
  {
    text += " on " + std::to_string(search.levels) + " levels";
  }
  std::snprintf(part, sizeof part, "; skin of %.3g m, %.3g list entries a particle", counts.skin,
    counts.particles > 0
      ? static_cast<double>(counts.list_entries) / static_cast<double>(counts.particles)
      : 0.);
  text += part;
  if (counts.static_size > 0)
  {
    text += " in " + std::to_string(counts.static_size) + " slots";
  }
  if (counts.grouped)
  {
    text += ", contacts of neighbours in groups";
  }
  return text;
}

//------------------------------------------------------------------------------
vtkDEMRun::BytesT vtkDEMRun::ReadState(const std::string& fileName)
{
  return dem::readSnapshotFile(fileName);
}

//------------------------------------------------------------------------------
void vtkDEMRun::WriteState(const std::string& fileName, const BytesT& bytes)
{
  dem::writeSnapshotFile(fileName, bytes);
}
