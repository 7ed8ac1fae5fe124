#include "vtkDEMValues.h"

#include "vtkDoubleArray.h"

#include <cmath>
#include <sstream>

namespace vtkDEMValues
{

//------------------------------------------------------------------------------
const double* Doubles(vtkDataArray* array, dem::HostArray<double>& copy,
  std::vector<vtkSmartPointer<vtkDataArray>>& kept, double scale)
{
  auto* own = vtkDoubleArray::FastDownCast(array);
  if (own && scale == 1)
  {
    kept.emplace_back(array);
    return own->GetPointer(0);
  }
  copy = Copied<double>(array, scale);
  return copy.data();
}

//------------------------------------------------------------------------------
bool IsFinite(const double* x)
{
  return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]);
}

//------------------------------------------------------------------------------
std::string Number(double value)
{
  std::ostringstream text;
  text.precision(9);
  text << value;
  return text.str();
}

//------------------------------------------------------------------------------
std::string Text(const double* x)
{
  return "(" + Number(x[0]) + ", " + Number(x[1]) + ", " + Number(x[2]) + ")";
}

} // namespace vtkDEMValues
