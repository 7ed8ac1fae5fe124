// The tables of Meyer 2019 that time transfers, maps, reductions and scans, and the case `transfer`
// for one combination of methods. Each function runs its stages and adds rows to the results.
// Numbers passed to it are the times of Meyer 2019 on a GTX 970, in microseconds.
#pragma once

#include "MpmBenchRun.h"

#include <string>

namespace bench
{

void layouts(Run& run, const std::string& table, TransferStage aos, TransferStage soa,
  double theirs_aos, double theirs_soa);
void table7(Run& run);
void table8(Run& run);
void table9(Run& run);
void table10(Run& run);
void gatherTable(Run& run, const std::string& table, TransferPoints arrangement, double global,
  double sorted, double shared);
void scatterTable(Run& run, const std::string& table, TransferPoints arrangement,
  const std::vector<double>& theirs);
void table15(Run& run);
void table16(Run& run);
void table17(Run& run);
void table3(Run& run);
void table4(Run& run);
void transfer(Run& run);

} // namespace bench
