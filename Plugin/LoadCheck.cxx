// ParaView 6.1 and later call this function before they use the plugin; older ones do not.
#include "vtkDEMLoadCheck.h"

#include "vtkObject.h"
#include "vtkPVPlugin.h"

C_EXPORT bool C_DECL pv_plugin_on_load_check()
{
  const std::string reason = vtkDEMLoadCheck::WhyNot();
  if (!reason.empty())
  {
    vtkGenericWarningMacro(<< reason);
  }
  return reason.empty();
}
