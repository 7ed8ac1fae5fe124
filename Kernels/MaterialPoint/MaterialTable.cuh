// The materials of a scene as the kernels read them.
#pragma once

#include "Core/Array.h"
#include "MaterialPoint/Constitutive.cuh"

#include <vector>

namespace mpm
{

template <class Exec, class Real>
class MaterialTable
{
public:
  explicit MaterialTable(Exec& exec)
    : parameters_(exec)
  {
  }

  void upload(const std::vector<Material>& materials)
  {
    std::vector<MaterialParameters<Real>> parameters;
    for (const Material& m : materials)
      parameters.push_back(materialParameters<Real>(m));
    parameters_.assign(parameters);
  }
  const MaterialParameters<Real>* data() { return parameters_.data(); }

private:
  dem::Array<MaterialParameters<Real>, Exec> parameters_;
};

} // namespace mpm
