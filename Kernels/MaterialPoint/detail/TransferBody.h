// What a device offers to TransferBench. The functions are those of TransferBench.
#pragma once

#include "MaterialPoint/MpmTransfers.h"

#include <memory>
#include <vector>

namespace mpm
{

class TransferBench::Body
{
public:
  virtual ~Body() = default;
  virtual void choose(const TransferOptions& options) = 0;
  virtual void prepare() = 0;
  virtual double run(TransferStage stage, int times) = 0;
  virtual TransferTotals ofPoints() = 0;
  virtual TransferTotals ofGrid() = 0;
  virtual std::vector<double> grid() = 0;
  virtual std::vector<double> velocities() = 0;
  virtual bool sorted() = 0;
  virtual double reduced() = 0;
  virtual std::vector<double> mapped(int which) = 0;
  virtual std::vector<std::uint32_t> scanned() = 0;
};

std::unique_ptr<TransferBench::Body> makeCpuTransferBody(const TransferCase& what, int threads);
std::unique_ptr<TransferBench::Body> makeCudaTransferBody(const TransferCase& what, int ordinal);

} // namespace mpm
