/**
 * The run of a DEM simulation.
 */

#ifndef vtkDEMRun_h
#define vtkDEMRun_h

#include "Solver/Timeline.h"
#include "detail/vtkDEMSteeredRun.h"

#include <memory>
#include <string>
#include <vector>

class vtkDEMRun : public vtkDEMSteeredRun<dem::Timeline>
{
public:
  /**
   * What the search for contacts has chosen, and in words. Zeros and empty without a run, or where
   * it cannot be asked, which the next request tells.
   */
  dem::SearchCounts GetSearchCounts();
  std::string GetSearchText();

  std::vector<std::string> GetWarnings() const override;

  /**
   * Whether a grain met a border of the automatic domain.
   */
  std::vector<std::string> GetNews() override;

protected:
  void Forget() override;
  BytesT ReadState(const std::string& fileName) override;
  void WriteState(const std::string& fileName, const BytesT& bytes) override;

private:
  bool DomainIsMet = false;
};

#endif
