#include "MaterialPoint/MpmTransfers.h"

#include "MaterialPoint/detail/TransferBody.h"

namespace mpm
{

TransferBench::TransferBench(const dem::Device& device, const TransferCase& what)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == dem::DeviceKind::CUDA)
  {
    body_ = makeCudaTransferBody(what, device.ordinal);
    return;
  }
#endif
  body_ = makeCpuTransferBody(what, device.threads);
}
TransferBench::~TransferBench() = default;

void TransferBench::choose(const TransferOptions& options) { body_->choose(options); }
void TransferBench::prepare() { body_->prepare(); }
double TransferBench::run(TransferStage stage, int times) { return body_->run(stage, times); }
TransferTotals TransferBench::ofPoints() const { return body_->ofPoints(); }
TransferTotals TransferBench::ofGrid() const { return body_->ofGrid(); }
std::vector<double> TransferBench::grid() const { return body_->grid(); }
std::vector<double> TransferBench::velocities() const { return body_->velocities(); }
bool TransferBench::sorted() const { return body_->sorted(); }
double TransferBench::reduced() const { return body_->reduced(); }
std::vector<double> TransferBench::mapped(int which) const { return body_->mapped(which); }
std::vector<std::uint32_t> TransferBench::scanned() const { return body_->scanned(); }

const char* name(SortMethod m)
{
  return m == SortMethod::None ? "none" : (m == SortMethod::Index ? "index" : "deep");
}
const char* name(ToGridMethod m)
{
  switch (m)
  {
    case ToGridMethod::Global:
      return "global";
    case ToGridMethod::GlobalSupport:
      return "global-support";
    case ToGridMethod::WarpSums:
      return "warp-sums";
    case ToGridMethod::Pull:
      return "pull";
    case ToGridMethod::SharedAtomic:
      return "shared-atomic";
    case ToGridMethod::Sync:
      return "sync";
  }
  return "";
}
const char* name(ToPointsMethod m) { return m == ToPointsMethod::Global ? "global" : "shared"; }

} // namespace mpm
