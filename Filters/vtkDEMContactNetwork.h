/**
 * @class   vtkDEMContactNetwork
 * @brief   network of contacts: lines between touching grains, with overlaps and forces
 *
 * Input port 0: grains, any point set with radii, of a DEM simulation or of files of any code.
 * Input port 1, optional: contacts of port `Contacts` of a simulation or of this filter. Without
 * it, and if input port 0 is port `Particles` of a simulation, the contacts are those of that
 * simulation. Without a simulation, contacts are found from centres and radii, and forces are
 * estimated by ForceLaw or left out.
 *
 * - port 0 `Network` (vtkPolyData): one line per contact, between the centres or from the centre to
 * the contact point with a wall. Each line has two points of its own, ready for vtkTubeFilter.
 * Point arrays: Id (a wall is -1 - its number) and NormalForceMagnitude (N) or, without forces,
 * Overlap (m), as the active scalars, by which tubes can vary their radius. Cell arrays:
 * ParticleIds, Normal (from the first to the second), Overlap (m), ContactPoint (m), WallContact (0
 * or 1) and, if forces are known, NormalForce, TangentialForce (N, on the first grain),
 * NormalForceMagnitude, TangentialForceMagnitude. Other arrays of the contacts (Sliding, Age,
 * SlipDistance, DissipatedEnergy) are passed on.
 * - port 1 `Scalars` (vtkTable, one row, or none without grains), also the field data of port 0:
 * coordination number with and without rattlers, fabric, anisotropy, sliding fraction, mean forces
 * (dem::NetworkTotals).
 * - port 2 `Force Distribution` (vtkTable): Force over the mean force (centre of a bin),
 * Probability (density), Count, QModel (Coppersmith et al. 1996). No rows without forces.
 *
 * Every run on one device gives the same bits, on any number of threads.
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
   * Source of the contacts: AUTOMATIC (default), input port 1, else the simulation that is the
   * input, else centres and radii; RADII, always centres and radii.
   */
  vtkSetClampMacro(ContactSource, int, AUTOMATIC, RADII);
  vtkGetMacro(ContactSource, int);
  ///@}

  ///@{
  /**
   * Grains touch if the gap between their surfaces is below this, in m; default 0, >= 0. For
   * contacts found from radii.
   */
  vtkSetMacro(Tolerance, double);
  vtkGetMacro(Tolerance, double);
  ///@}

  ///@{
  /**
   * Whether x, y, z are periodic (default none), and the periodic box x min, x max, y min, y max, z
   * min, z max in m (default 0 1 0 1 0 1). Each periodic edge must be at least twice the largest
   * distance of touching centres. For contacts found from radii. Grains may lie outside the box.
   */
  vtkSetVector3Macro(Periodic, int);
  vtkGetVector3Macro(Periodic, int);
  vtkSetVector6Macro(PeriodicBox, double);
  vtkGetVector6Macro(PeriodicBox, double);
  ///@}

  ///@{
  /**
   * If Periodic is 0 0 0, take axes and borders from the field data `Periodic` (3 numbers) and
   * `Box` (6 numbers, m), if present, as of vtkDEMDumpReader. Default on.
   */
  vtkSetMacro(PeriodicOfData, bool);
  vtkGetMacro(PeriodicOfData, bool);
  vtkBooleanMacro(PeriodicOfData, bool);
  ///@}

  ///@{
  /**
   * Include contacts with walls; default on. Off: the statistics do not count them either.
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
   * Estimate of normal forces for contacts without forces: LEAVE_OUT (default, no forces), HERTZ
   * from YoungsModulus and PoissonsRatio, LINEAR_SPRING from NormalStiffness.
   */
  vtkSetClampMacro(ForceLaw, int, LEAVE_OUT, LINEAR_SPRING);
  vtkGetMacro(ForceLaw, int);
  ///@}

  ///@{
  /**
   * HERTZ: Young's modulus of all grains in Pa; default 5e6, > 0.
   */
  vtkSetMacro(YoungsModulus, double);
  vtkGetMacro(YoungsModulus, double);
  ///@}

  ///@{
  /**
   * HERTZ: Poisson's ratio of all grains, without unit; default 0.3, in (-1, 0.5].
   */
  vtkSetMacro(PoissonsRatio, double);
  vtkGetMacro(PoissonsRatio, double);
  ///@}

  ///@{
  /**
   * LINEAR_SPRING: normal stiffness in N/m; default 1e4, > 0.
   */
  vtkSetMacro(NormalStiffness, double);
  vtkGetMacro(NormalStiffness, double);
  ///@}

  ///@{
  /**
   * A grain with fewer contacts than this is a rattler; default 2, >= 0.
   */
  vtkSetMacro(RattlerContacts, int);
  vtkGetMacro(RattlerContacts, int);
  ///@}

  ///@{
  /**
   * Number of bins of the force distribution; default 50, 1 to 100000.
   */
  vtkSetMacro(NumberOfBins, int);
  vtkGetMacro(NumberOfBins, int);
  ///@}

  ///@{
  /**
   * Upper end of the force distribution, relative to the mean force; default 0 = the largest force.
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
  void ReadInput(Input& input);

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
