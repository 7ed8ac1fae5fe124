/**
 * Connection between the ranks that share a run, over ParaView's controller.
 */

#ifndef vtkDEMRankChannel_h
#define vtkDEMRankChannel_h

#include "Core/RankChannel.h"

class vtkMultiProcessController;

class vtkDEMRankChannel final : public dem::RankChannel
{
public:
  explicit vtkDEMRankChannel(vtkMultiProcessController* controller)
    : Controller(controller)
  {
  }

  int ranks() const override;
  int rank() const override;
  void allGather(const void* mine, std::size_t bytes, void* all) override;
  std::vector<Bytes> exchange(const std::vector<Bytes>& out) override;

private:
  vtkMultiProcessController* Controller;
};

#endif
