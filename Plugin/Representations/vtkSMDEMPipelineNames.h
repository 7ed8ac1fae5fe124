/**
 * Names of sources and outputs as the pipeline browser shows them. Only the client knows them.
 */

#ifndef vtkSMDEMPipelineNames_h
#define vtkSMDEMPipelineNames_h

#include <map>
#include <string>
#include <utility>
#include <vector>

class vtkClientServerStream;
class vtkSMProxy;
class vtkSMSourceProxy;

namespace vtkSMDEMPipelineNames
{

/**
 * All sources and filters of the session of `proxy` that the pipeline browser shows.
 */
std::vector<vtkSMSourceProxy*> Sources(vtkSMProxy* proxy);

/**
 * The name of an output in the pipeline browser, with a number behind a name that several sources
 * have; empty if the browser does not show it.
 */
std::string OutputName(vtkSMProxy* proxy, unsigned int port);

/**
 * The names that messages of a run use for its inputs.
 */
class InputNames
{
public:
  /**
   * Appends to `stream` a call of SetInputName of the run for each input whose name has changed
   * since the last call. Returns false if there is none.
   */
  bool AppendChanges(vtkSMSourceProxy* run, vtkClientServerStream& stream);

private:
  std::map<std::pair<int, int>, std::string> Sent; // by port and index
};

} // namespace vtkSMDEMPipelineNames

#endif
