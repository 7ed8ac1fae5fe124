#include "vtkMPMMaterial.h"

#include "MaterialPoint/MpmScene.h"
#include "detail/vtkDEMChoice.h"

#include "vtkMath.h"
#include "vtkObjectFactory.h"

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkMPMMaterial);

//------------------------------------------------------------------------------
vtkMPMMaterial::vtkMPMMaterial() = default;

//------------------------------------------------------------------------------
vtkMPMMaterial::~vtkMPMMaterial() = default;

//------------------------------------------------------------------------------
void vtkMPMMaterial::Fill(mpm::Material& material) const
{
  material.kind =
    vtkDEMChoice::Choice<mpm::MaterialKind>("Law", this->Law, mpm::kMaterialKindNames);
  material.density = this->Density;
  material.youngs_modulus = this->YoungsModulus;
  material.poissons_ratio = this->PoissonsRatio;
  material.friction_angle = vtkMath::RadiansFromDegrees(this->FrictionAngle);
  material.sand_yield =
    vtkDEMChoice::Choice<mpm::SandYield>("YieldSurface", this->YieldSurface, mpm::kSandYieldNames);
  material.cohesion = this->Cohesion;
  material.grain_diameter = this->GrainDiameter;
  material.fast_friction_angle = vtkMath::RadiansFromDegrees(this->FastFrictionAngle);
  material.inertial_number = this->InertialNumber;
  material.yield_stress = this->YieldStress;
  material.hardening_modulus = this->HardeningModulus;
  material.bulk_modulus = this->BulkModulus;
  material.gamma = this->Gamma;
  material.viscosity = this->Viscosity;
}

//------------------------------------------------------------------------------
void vtkMPMMaterial::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Law: " << this->Law << endl;
  os << indent << "Density: " << this->Density << endl;
  os << indent << "YoungsModulus: " << this->YoungsModulus << endl;
  os << indent << "PoissonsRatio: " << this->PoissonsRatio << endl;
  os << indent << "FrictionAngle: " << this->FrictionAngle << endl;
  os << indent << "YieldSurface: " << this->YieldSurface << endl;
  os << indent << "Cohesion: " << this->Cohesion << endl;
  os << indent << "GrainDiameter: " << this->GrainDiameter << endl;
  os << indent << "FastFrictionAngle: " << this->FastFrictionAngle << endl;
  os << indent << "InertialNumber: " << this->InertialNumber << endl;
  os << indent << "YieldStress: " << this->YieldStress << endl;
  os << indent << "HardeningModulus: " << this->HardeningModulus << endl;
  os << indent << "BulkModulus: " << this->BulkModulus << endl;
  os << indent << "Gamma: " << this->Gamma << endl;
  os << indent << "Viscosity: " << this->Viscosity << endl;
}
