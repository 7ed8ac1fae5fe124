/**
 * @class   vtkDEMContactNetwork
 * @brief   lines between touching grains, with what their contacts carry
 *
 * Input port 0: grains, any point set with radii, of a DEM simulation or of any code's files. Input
 * port 1, optional: contacts, as port `Contacts` of a simulation or this filter give them. Without
 * it the contacts of the simulation are taken whose port `Particles` is the input; without a
 * simulation they are found from centres and radii, and forces are estimated by ForceLaw or left
 * out.
 *
 * - port 0 `Network` (vtkPolyData): one line a contact between its centres, or from the centre to
 * the contact point of a wall, two points of its own each, ready for vtkTubeFilter. Point arrays:
 * Id (a wall is -1 - its number), NormalForceMagnitude (N; the active scalars, so that tubes take
 * it for their radius) or else Overlap. Cell arrays: ParticleIds, Normal (from the first to the
 * second), Overlap (m), ContactPoint (m), WallContact (0 or 1) and, where forces are known,
 * NormalForce, TangentialForce (N, on the first grain), NormalForceMagnitude,
 * TangentialForceMagnitude; what else the contacts carry (Sliding, Age, SlipDistance,
 * DissipatedEnergy) is passed on.
 * - port 1 `Scalars` (vtkTable, one row; no row for no grains), also the field data of port 0:
 * coordination number with and without rattlers, fabric, anisotropy, sliding fraction, mean forces
 * (dem::NetworkTotals).
 * - port 2 `Force Distribution` (vtkTable): Force over the mean (centre of a bin), Probability (its
 * density), Count, QModel (Coppersmith et al. 1996). No rows without forces.
 *
 * The result is the same to the bit in every run on one device, on any number of threads.
 */

#ifndef vtkDEMContactNetwork_h
#define vtkDEMContactNetwork_h

#include "vtkDEMContactAlgorithm.h"
#include "vtkParaGrainFiltersModule.h" // for export macro

class VTKPARAGRAINFILTERS_EXPORT vtkDEMContactNetwork : public vtkDEMContactAlgorithm
{
public:
  static vtkDEMContactNetwork* New();
  vtkTypeMacro(vtkDEMContactNetwork, vtkDEMContactAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum OutputPorts
  {
    NETWORK = 0,
    SCALARS,
    DISTRIBUTION
  };

  enum ContactSources
  {
    AUTOMATIC = 0,
    RADII
  };

  ///@{
  /**
   * Where contacts come from: AUTOMATIC (default), from input port 1, else from the simulation that
   * is the input, else from centres and radii; RADII, always from centres and radii.
   */
  vtkSetClampMacro(ContactSource, int, AUTOMATIC, RADII);
  vtkGetMacro(ContactSource, int);
  ///@}

  ///@{
  /**
   * Grains whose surfaces are nearer than this touch, in m; default 0, >= 0. For contacts from
   * radii.
   */
  vtkSetMacro(Tolerance, double);
  vtkGetMacro(Tolerance, double);
  ///@}

  ///@{
  /**
   * Whether x, y, z are periodic (default: none), and the periodic box xmin xmax ymin ymax zmin
   * zmax in m (default 0 1 0 1 0 1), each side at least twice as long as the largest pair reaches.
   * For contacts from radii; grains may lie outside.
   */
  vtkSetVector3Macro(Periodic, int);
  vtkGetVector3Macro(Periodic, int);
  vtkSetVector6Macro(PeriodicBox, double);
  vtkGetVector6Macro(PeriodicBox, double);
  ///@}

  ///@{
  /**
   * Where Periodic is 0 0 0, take axes and borders from the field data `Periodic` (3 numbers) and
   * `Box` (6), if there, as vtkDEMDumpReader has them. Default on.
   */
  vtkSetMacro(PeriodicOfData, bool);
  vtkGetMacro(PeriodicOfData, bool);
  vtkBooleanMacro(PeriodicOfData, bool);
  ///@}

  ///@{
  /**
   * Lines to walls too (default on). Off: the numbers do not count them either.
   */
  vtkSetMacro(ShowWallContacts, bool);
  vtkGetMacro(ShowWallContacts, bool);
  vtkBooleanMacro(ShowWallContacts, bool);
  ///@}

  enum ForceLaws
  {
    LEAVE_OUT = 0,
    HERTZ,
    LINEAR_SPRING
  };

  ///@{
  /**
   * Normal forces of contacts that come without: LEAVE_OUT (default), HERTZ from YoungsModulus and
   * PoissonsRatio, LINEAR_SPRING from NormalStiffness.
   */
  vtkSetClampMacro(ForceLaw, int, LEAVE_OUT, LINEAR_SPRING);
  vtkGetMacro(ForceLaw, int);
  ///@}

  ///@{
  /**
   * Young's modulus of all grains in Pa; default 5e6, > 0.
   */
  vtkSetMacro(YoungsModulus, double);
  vtkGetMacro(YoungsModulus, double);
  ///@}

  ///@{
  /**
   * Poisson's ratio of all grains, without unit; default 0.3, in (-1, 0.5].
   */
  vtkSetMacro(PoissonsRatio, double);
  vtkGetMacro(PoissonsRatio, double);
  ///@}

  ///@{
  /**
   * Stiffness of the linear spring in N/m; default 1e4, > 0.
   */
  vtkSetMacro(NormalStiffness, double);
  vtkGetMacro(NormalStiffness, double);
  ///@}

  ///@{
  /**
   * A grain with fewer contacts is a rattler; default 2, >= 0.
   */
  vtkSetMacro(RattlerContacts, int);
  vtkGetMacro(RattlerContacts, int);
  ///@}

  ///@{
  /**
   * Bins of the force distribution; default 50, 1 to 100000.
   */
  vtkSetMacro(NumberOfBins, int);
  vtkGetMacro(NumberOfBins, int);
  ///@}

  ///@{
  /**
   * Upper end of the force distribution over the mean force; default 0 = the largest force.
   */
  vtkSetMacro(LargestForce, double);
  vtkGetMacro(LargestForce, double);
  ///@}

protected:
  vtkDEMContactNetwork();
  ~vtkDEMContactNetwork() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestData(vtkInformation* request, vtkInformationVector** inputVector,
    vtkInformationVector* outputVector) override;

private:
  vtkDEMContactNetwork(const vtkDEMContactNetwork&) = delete;
  void operator=(const vtkDEMContactNetwork&) = delete;

  struct Input;
  void ReadInput(vtkInformationVector** inputVector, Input& input);

  int ContactSource = AUTOMATIC;
  double Tolerance = 0;
  int Periodic[3] = { 0, 0, 0 };
  bool PeriodicOfData = true;
  double PeriodicBox[6] = { 0, 1, 0, 1, 0, 1 };
  bool ShowWallContacts = true;
  int ForceLaw = LEAVE_OUT;
  double YoungsModulus = 5e6;
  double PoissonsRatio = 0.3;
  double NormalStiffness = 1e4;
  int RattlerContacts = 2;
  int NumberOfBins = 50;
  double LargestForce = 0;
};

#endif
