/**
 * @class   vtkDEMPacking
 * @brief   initial particles of a DEM simulation
 *
 * Places particles on a lattice, on a jittered lattice or at random without overlap. The region is
 * a box or, with the optional input (port 1), the inside of a closed surface. Spheres lie
 * completely inside. The same properties give the same particles on every machine.
 *
 * Output: vtkPolyData, one vertex a particle, with the point arrays Id, Radius, Velocity,
 * AngularVelocity, Material and Shape, and the field data Materials; for shapes other than spheres
 * also Orientation, Scale and the field data ShapeDefinitions. Units are SI; angles are in degrees.
 */

#ifndef vtkDEMPacking_h
#define vtkDEMPacking_h

#include "vtkParaGrainFiltersModule.h" // for export macro
#include "vtkPolyDataAlgorithm.h"

#include <string> // for std::string
#include <vector> // for std::vector

namespace dem
{
struct PackingSpec;
struct Shape;
} // namespace dem
class vtkPolyData;

class VTKPARAGRAINFILTERS_EXPORT vtkDEMPacking : public vtkPolyDataAlgorithm
{
public:
  static vtkDEMPacking* New();
  vtkTypeMacro(vtkDEMPacking, vtkPolyDataAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Scripts connect the active object to port 0 of a new filter. A packing needs no such input, so
   * port 0 is never read.
   */
  enum InputPorts
  {
    INPUT_NONE = 0,
    INPUT_REGION,
    INPUT_SHAPE,
    NUMBER_OF_INPUT_PORTS
  };

  enum Arrangements
  {
    LATTICE = 0,
    JITTERED_LATTICE,
    RANDOM
  };

  enum RadiusDistributions
  {
    SINGLE = 0,
    UNIFORM,
    NORMAL,
    LOG_NORMAL,
    TABULATED
  };

  ///@{
  /**
   * Arrangement of the particles: LATTICE (simple cubic), JITTERED_LATTICE (default), RANDOM
   * (random sequential addition, up to about 30 % solid volume).
   */
  vtkSetMacro(Arrangement, int);
  vtkGetMacro(Arrangement, int);
  ///@}

  ///@{
  /**
   * Lower corner of the box in m; default (-0.2, -0.2, 0).
   */
  vtkSetVector3Macro(LowerCorner, double);
  vtkGetVector3Macro(LowerCorner, double);
  ///@}

  ///@{
  /**
   * Edge lengths of the box in m; default (0.4, 0.4, 0.3), > 0.
   */
  vtkSetVector3Macro(Size, double);
  vtkGetVector3Macro(Size, double);
  ///@}

  ///@{
  /**
   * With a region: place particles inside both the region and the box; default off = anywhere in
   * the region.
   */
  vtkSetMacro(IntersectBox, bool);
  vtkGetMacro(IntersectBox, bool);
  ///@}

  ///@{
  /**
   * Number of particles; default 0 = fill the region, >= 0. If fewer fit, an error states their
   * number.
   */
  vtkSetMacro(Count, int);
  vtkGetMacro(Count, int);
  ///@}

  ///@{
  /**
   * Distance of centres in the lattices in m; default 0.025, >= 0; 0 = 2.02 times the largest
   * radius. For other shapes than spheres it is multiplied by their bounding radius over Radius.
   */
  vtkSetMacro(Spacing, double);
  vtkGetMacro(Spacing, double);
  ///@}

  ///@{
  /**
   * Largest displacement from the lattice, as a fraction of the free gap; default 0.9, in [0, 1].
   */
  vtkSetMacro(Jitter, double);
  vtkGetMacro(Jitter, double);
  ///@}

  ///@{
  /**
   * Distribution of the radii: SINGLE (Radius), UNIFORM (default; between MinimumRadius and
   * MaximumRadius), NORMAL (mean Radius, deviation RadiusDeviation, cut to the limits), LOG_NORMAL
   * (median Radius, RadiusDeviation of ln r, cut to the limits), TABULATED (radii of the table by
   * their number fractions).
   */
  vtkSetMacro(RadiusDistribution, int);
  vtkGetMacro(RadiusDistribution, int);
  ///@}

  ///@{
  /**
   * Radius, mean or median in m; default 0.01, > 0.
   */
  vtkSetMacro(Radius, double);
  vtkGetMacro(Radius, double);
  ///@}

  ///@{
  /**
   * Smallest radius in m; default 0.008, > 0.
   */
  vtkSetMacro(MinimumRadius, double);
  vtkGetMacro(MinimumRadius, double);
  ///@}

  ///@{
  /**
   * Largest radius in m; default 0.012, >= MinimumRadius.
   */
  vtkSetMacro(MaximumRadius, double);
  vtkGetMacro(MaximumRadius, double);
  ///@}

  ///@{
  /**
   * Standard deviation of the radius in m (NORMAL), or of its logarithm, without unit (LOG_NORMAL);
   * default 0.001, >= 0.
   */
  vtkSetMacro(RadiusDeviation, double);
  vtkGetMacro(RadiusDeviation, double);
  ///@}

  ///@{
  /**
   * Table of radii: each row has a radius in m and a number fraction. Fractions are scaled to a sum
   * of 1.
   */
  void SetNumberOfRadii(int count);
  void SetRadiusRow(int row, double radius, double fraction);
  void ClearRadii();
  ///@}

  ///@{
  /**
   * Initial velocity in m/s; default (0, 0, 0).
   */
  vtkSetVector3Macro(Velocity, double);
  vtkGetVector3Macro(Velocity, double);
  ///@}

  ///@{
  /**
   * Initial angular velocity in degrees/s; default (0, 0, 0). The output array is in rad/s.
   */
  vtkSetVector3Macro(AngularVelocity, double);
  vtkGetVector3Macro(AngularVelocity, double);
  ///@}

  ///@{
  /**
   * Seed of the random numbers; default 1, >= 0.
   */
  vtkSetMacro(Seed, int);
  vtkGetMacro(Seed, int);
  ///@}

  ///@{
  /**
   * Name of the material; default "Grain", the grain material of vtkDEMSimulation. Other names must
   * be in the table of materials of the simulation.
   */
  void SetMaterial(const char* name);
  const char* GetMaterial() const;
  ///@}

  ///@{
  /**
   * Shape of the particles; default "Sphere". Tablet (bi-convex), Clump (of the spheres of a
   * table), Cube, Tetrahedron, Octahedron, Dodecahedron, Brick; Polyhedron From Surface and Clump
   * From Surface take the closed surface of input port 2.
   */
  void SetShape(const char* name);
  const char* GetShape() const;
  ///@}

  ///@{
  /**
   * Name of the shape; default empty = its kind. Packings of different tablets in one simulation
   * need different names.
   */
  void SetShapeName(const char* name);
  const char* GetShapeName() const;
  ///@}

  enum ShapeSizes
  {
    BY_RADIUS = 0,
    AS_STATED
  };

  ///@{
  /**
   * Size of grains of other shapes than spheres: BY_RADIUS (default), the volume of a sphere of the
   * given radius; AS_STATED, the size of the shape (named polyhedra except Brick have edges of 1
   * m).
   */
  vtkSetMacro(ShapeSize, int);
  vtkGetMacro(ShapeSize, int);
  ///@}

  ///@{
  /**
   * Rotate grains of other shapes than spheres at random; default on.
   */
  vtkSetMacro(RandomOrientation, bool);
  vtkGetMacro(RandomOrientation, bool);
  ///@}

  ///@{
  /**
   * Tablet in m: diameter (default 0.02, > 0), radius of the caps (default 0.0175, at least half
   * the diameter), height of the belt (default 0.006, >= 0), rounding of the edge (default 0 = 1/40
   * of the diameter, >= 0).
   */
  vtkSetMacro(TabletDiameter, double);
  vtkGetMacro(TabletDiameter, double);
  vtkSetMacro(TabletCupRadius, double);
  vtkGetMacro(TabletCupRadius, double);
  vtkSetMacro(TabletBeltHeight, double);
  vtkGetMacro(TabletBeltHeight, double);
  vtkSetMacro(TabletEdgeRadius, double);
  vtkGetMacro(TabletEdgeRadius, double);
  ///@}

  ///@{
  /**
   * Edges of the brick in m; default (0.03, 0.015, 0.01), > 0.
   */
  vtkSetVector3Macro(BrickEdges, double);
  vtkGetVector3Macro(BrickEdges, double);
  ///@}

  ///@{
  /**
   * Spheres of the clump: each row has a centre and a radius in m. Default: three spheres in an L.
   */
  void SetNumberOfClumpSpheres(int count);
  void SetClumpSphere(int row, double x, double y, double z, double radius);
  void ClearClumpSpheres();
  ///@}

  ///@{
  /**
   * Clump From Surface: largest number of spheres; default 16, 1 to 64.
   */
  vtkSetMacro(ClumpSize, int);
  vtkGetMacro(ClumpSize, int);
  ///@}

protected:
  vtkDEMPacking();
  ~vtkDEMPacking() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  void ReadShape(vtkInformationVector** inputVector, std::vector<dem::Shape>& shapes);
  void ReadShapeOfSurface(vtkPolyData* surface, std::vector<dem::Shape>& shapes);
  void ReadRegion(vtkInformationVector** inputVector, dem::PackingSpec& spec);
  void FillSpec(const std::vector<dem::Shape>& shapes, dem::PackingSpec& spec) const;

  int Arrangement = JITTERED_LATTICE;
  double LowerCorner[3] = { -0.2, -0.2, 0 };
  double Size[3] = { 0.4, 0.4, 0.3 };
  bool IntersectBox = false;
  int Count = 0;
  double Spacing = 0.025;
  double Jitter = 0.9;
  int RadiusDistribution = UNIFORM;
  double Radius = 0.01;
  double MinimumRadius = 0.008;
  double MaximumRadius = 0.012;
  double RadiusDeviation = 0.001;
  double Velocity[3] = { 0, 0, 0 };
  double AngularVelocity[3] = { 0, 0, 0 };
  int Seed = 1;
  std::vector<double> TableRadius;
  std::vector<double> TableFraction;
  std::string Material = "Grain";
  std::string Shape = "Sphere";
  std::string ShapeName;
  int ShapeSize = BY_RADIUS;
  bool RandomOrientation = true;
  double TabletDiameter = 0.02;
  double TabletCupRadius = 0.0175;
  double TabletBeltHeight = 0.006;
  double TabletEdgeRadius = 0;
  double BrickEdges[3] = { 0.03, 0.015, 0.01 };
  int ClumpSize = 16;
  std::vector<double> ClumpSpheres{ 0, 0, 0, 0.008, 0.01, 0, 0, 0.006, 0, 0.01, 0, 0.006 };

private:
  vtkDEMPacking(const vtkDEMPacking&) = delete;
  void operator=(const vtkDEMPacking&) = delete;
};

#endif
