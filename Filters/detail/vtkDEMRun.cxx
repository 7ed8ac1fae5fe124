#include "vtkDEMRun.h"

#include "Measure/DomainMet.h"
#include "Scene/Names.h"
#include "Scene/SceneWarnings.h"

#include <exception>

//------------------------------------------------------------------------------
dem::SearchCounts vtkDEMRun::GetSearchCounts()
{
  try
  {
    if (this->Timeline && !this->Timeline->simulation().needsRestore())
    {
      return this->Timeline->simulation().searchCounts();
    }
  }
  catch (const std::exception&)
  {
  }
  return {};
}

//------------------------------------------------------------------------------
std::string vtkDEMRun::GetSearchText()
{
  const dem::SearchCounts counts = this->GetSearchCounts();
  if (counts.particles == 0)
  {
    return "";
  }
  std::string text = dem::name(counts.search.kind);
  if (counts.search.levels > 1)
  {
    text += ", " + std::to_string(counts.search.levels) + " levels";
  }
  if (counts.static_size > 0)
  {
    text +=
      ", " + std::to_string(counts.static_size) + (counts.static_size == 1 ? " slot" : " slots");
  }
  if (counts.grouped)
  {
    text += ", in groups";
  }
  return text;
}

//------------------------------------------------------------------------------
std::vector<std::string> vtkDEMRun::GetWarnings() const
{
  return dem::sceneWarnings(this->GetScene());
}

//------------------------------------------------------------------------------
std::vector<std::string> vtkDEMRun::GetNews()
{
  const std::shared_ptr<const dem::Frame> now = this->GetLastFrame();
  if (!now || !this->Timeline || this->DomainIsMet)
  {
    return {};
  }
  const std::string met = dem::automaticDomainMet(this->GetScene(), *now);
  this->DomainIsMet = !met.empty();
  return this->DomainIsMet ? std::vector<std::string>{ met } : std::vector<std::string>{};
}

//------------------------------------------------------------------------------
void vtkDEMRun::Forget()
{
  this->vtkDEMSteeredRun<dem::Timeline>::Forget();
  this->DomainIsMet = false;
}
