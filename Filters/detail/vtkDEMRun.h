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
   * Choices of the contact search, as numbers and as text. Zeros and empty without a run, or after
   * a failure that the next request reports.
   */
  dem::SearchCounts GetSearchCounts();
  std::string GetSearchText();

  std::vector<std::string> GetWarnings() const override;

  /**
   * A warning once a grain has met a border of the automatic domain.
   */
  std::vector<std::string> GetNews() override;

protected:
  void Forget() override;

private:
  bool DomainIsMet = false;
};

#endif
