#include "vtkDEMRun.h"

#include "Core/RankChannel.h"
#include "Measure/DomainMet.h"
#include "Scene/Names.h"
#include "Scene/SceneWarnings.h"

#include <cstdint>
#include <exception>

namespace
{

//------------------------------------------------------------------------------
// The warning about the lowest Id of all ranks. Collective.
dem::DomainMet FirstOf(const dem::DomainMet& mine, dem::RankChannel& ranks)
{
  const auto count = static_cast<std::size_t>(ranks.ranks());
  std::vector<std::int64_t> ids(count);
  ranks.allGather(&mine.id, sizeof(mine.id), ids.data());
  const dem::RankChannel::Bytes text(mine.text.begin(), mine.text.end());
  const auto texts = ranks.exchange(std::vector<dem::RankChannel::Bytes>(count, text));
  dem::DomainMet first;
  for (std::size_t r = 0; r < count; ++r)
  {
    if (!texts[r].empty() && (first.text.empty() || ids[r] < first.id))
    {
      first = { std::string(texts[r].begin(), texts[r].end()), ids[r] };
    }
  }
  return first;
}

} // namespace

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
  dem::DomainMet met = dem::automaticDomainMet(this->GetScene(), *now);
  if (dem::RankChannel* ranks = this->GetRanks())
  {
    met = FirstOf(met, *ranks);
  }
  this->DomainIsMet = !met.text.empty();
  return this->DomainIsMet ? std::vector<std::string>{ met.text } : std::vector<std::string>{};
}

//------------------------------------------------------------------------------
void vtkDEMRun::Forget()
{
  this->vtkDEMSteeredRun<dem::Timeline>::Forget();
  this->DomainIsMet = false;
}
