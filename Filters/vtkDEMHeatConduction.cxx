#include "vtkDEMHeatConduction.h"

#include "Scene/Names.h"
#include "detail/vtkDEMChoice.h"

#include "vtkObjectFactory.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMHeatConduction);

//------------------------------------------------------------------------------
vtkDEMHeatConduction::vtkDEMHeatConduction() = default;

//------------------------------------------------------------------------------
vtkDEMHeatConduction::~vtkDEMHeatConduction() = default;

//------------------------------------------------------------------------------
void vtkDEMHeatConduction::Fill(dem::HeatOptions& options)
{
  using vtkDEMChoice::Choice;
  options.model = dem::HeatModel::Conduction;
  options.area =
    Choice<dem::ContactAreaModel>("AreaModel", this->AreaModel, dem::kContactAreaModelNames);
  options.correction = Choice<dem::ModulusCorrection>(
    "ModulusCorrection", this->ModulusCorrection, dem::kModulusCorrectionNames);
  options.dissipation = this->DissipationHeating;
  options.interval = this->ThermalInterval;
  options.gas_conductivity = this->GasConductivity;
  options.temperature_jump = this->TemperatureJump;
  options.surface_roughness = this->SurfaceRoughness;
  options.surface_slope = this->SurfaceSlope;
  options.microhardness = this->Microhardness;
}

//------------------------------------------------------------------------------
void vtkDEMHeatConduction::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "AreaModel: " << this->AreaModel << endl;
  os << indent << "ModulusCorrection: " << this->ModulusCorrection << endl;
  os << indent << "DissipationHeating: " << this->DissipationHeating << endl;
  os << indent << "ThermalInterval: " << this->ThermalInterval << endl;
  os << indent << "GasConductivity: " << this->GasConductivity << endl;
  os << indent << "TemperatureJump: " << this->TemperatureJump << endl;
  os << indent << "SurfaceRoughness: " << this->SurfaceRoughness << endl;
  os << indent << "SurfaceSlope: " << this->SurfaceSlope << endl;
  os << indent << "Microhardness: " << this->Microhardness << endl;
}
