#include "vtkSMDEMPipelineNames.h"

#include "vtkClientServerStream.h"
#include "vtkNew.h"
#include "vtkSMInputProperty.h"
#include "vtkSMPropertyIterator.h"
#include "vtkSMProxyIterator.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMSourceProxy.h"
#include "vtkSmartPointer.h"

namespace vtkSMDEMPipelineNames
{

//------------------------------------------------------------------------------
std::vector<vtkSMSourceProxy*> Sources(vtkSMProxy* proxy)
{
  std::vector<vtkSMSourceProxy*> sources;
  vtkNew<vtkSMProxyIterator> iterator;
  iterator->SetSession(proxy->GetSession());
  iterator->SetModeToOneGroup();
  for (iterator->Begin("sources"); !iterator->IsAtEnd(); iterator->Next())
  {
    if (auto* source = vtkSMSourceProxy::SafeDownCast(iterator->GetProxy()))
    {
      sources.push_back(source);
    }
  }
  return sources;
}

//------------------------------------------------------------------------------
std::string OutputName(vtkSMProxy* proxy, unsigned int port)
{
  auto* source = vtkSMSourceProxy::SafeDownCast(proxy);
  const char* registered =
    source ? source->GetSessionProxyManager()->GetProxyName("sources", source) : nullptr;
  if (!registered)
  {
    return {};
  }
  std::string name = registered;
  int number = 1; // of this source among those of its name
  for (vtkSMSourceProxy* other : Sources(source))
  {
    if (other == source)
    {
      break;
    }
    const char* taken = source->GetSessionProxyManager()->GetProxyName("sources", other);
    number += taken && name == taken;
  }
  if (number > 1)
  {
    name += " (" + std::to_string(number) + ")";
  }
  const char* output =
    source->GetNumberOfOutputPorts() > 1 ? source->GetOutputPortName(port) : nullptr;
  return output ? name + ":" + output : name;
}

//------------------------------------------------------------------------------
bool InputNames::AppendChanges(vtkSMSourceProxy* run, vtkClientServerStream& stream)
{
  vtkSMSessionProxyManager* manager = run->GetSessionProxyManager();
  if (!manager)
  {
    return false;
  }
  bool changed = false;
  vtkSmartPointer<vtkSMPropertyIterator> properties;
  properties.TakeReference(run->NewPropertyIterator());
  for (properties->Begin(); !properties->IsAtEnd(); properties->Next())
  {
    auto* input = vtkSMInputProperty::SafeDownCast(properties->GetProperty());
    for (unsigned int i = 0; input && i < input->GetNumberOfProxies(); ++i)
    {
      const char* known = manager->GetProxyName("sources", input->GetProxy(i));
      const std::string name = known ? known : "";
      std::string& sent = this->Sent[{ input->GetPortIndex(), static_cast<int>(i) }];
      if (sent != name)
      {
        sent = name;
        changed = true;
        stream << vtkClientServerStream::Invoke << VTKOBJECT(run) << "SetInputName"
               << input->GetPortIndex() << static_cast<int>(i) << name.c_str()
               << vtkClientServerStream::End;
      }
    }
  }
  return changed;
}

} // namespace vtkSMDEMPipelineNames
