/**
 * @class   vtkDEMForceChains
 * @brief   rows of grains that carry most of the load
 *
 * Input port 0: grains, as vtkDEMContactNetwork takes them. Input port 1, optional: contacts with
 * forces, as port `Contacts` of a simulation or vtkDEMContactNetwork give them; without it those of
 * the simulation whose port `Particles` is the input.
 *
 * Force chains are those of Peters et al. 2005 (dem::ChainOptions has the definition to the
 * letter); STRONG_NETWORK gives every contact whose normal force is above ForceFactor times the
 * mean instead (Radjai et al. 1998).
 *
 * - port 0 `Chains` (vtkPolyData): one polyline a chain through its centres, a ring closed; of the
 * strong network one line a contact. Cell arrays: ChainId (of the strong network its connected
 * cluster), GrainCount, Length (m), MeanForce (N, normal force of its links). Point arrays: Id
 * (a wall is -1 - its number), Load (Pa, the size of the most compressive principal stress), Force
 * (N, mean normal force of the links at the point; the active scalars).
 * - port 1 `Particles` (vtkPolyData, vertices): the input's points with the arrays ForceChain (its
 * ChainId, -1 outside) and InForceChain (0 or 1; the active scalars), and for force chains Load
 * (Pa) and LoadDirection.
 * - port 2 `Events` (vtkTable): births, deaths and bucklings of chains between the last two times
 * that were asked for, forward in time whatever their order: Event, FromTime, ToTime, ChainId (of a
 * birth at ToTime, else at FromTime), GrainId (first grain; of a buckling the middle one),
 * GrainCount, BucklingAngle (degrees), Position. No rows before a second time was asked for; the
 * strong network has none. It is the one output that depends on what was asked for before.
 */

#ifndef vtkDEMForceChains_h
#define vtkDEMForceChains_h

#include "vtkDEMContactAlgorithm.h"
#include "vtkParaGrainFiltersModule.h" // for export macro

#include <memory> // for std::unique_ptr

class VTKPARAGRAINFILTERS_EXPORT vtkDEMForceChains : public vtkDEMContactAlgorithm
{
public:
  static vtkDEMForceChains* New();
  vtkTypeMacro(vtkDEMForceChains, vtkDEMContactAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum OutputPorts
  {
    CHAINS = 0,
    PARTICLES,
    EVENTS
  };

  enum Methods
  {
    FORCE_CHAINS = 0,
    STRONG_NETWORK
  };

  ///@{
  /**
   * What is shown: FORCE_CHAINS (default) or STRONG_NETWORK.
   */
  vtkSetClampMacro(Method, int, FORCE_CHAINS, STRONG_NETWORK);
  vtkGetMacro(Method, int);
  ///@}

  ///@{
  /**
   * A chain's grains have a load above this factor times the mean over the grains that touch
   * anything; without unit, default 1, >= 0.
   */
  vtkSetMacro(StressFactor, double);
  vtkGetMacro(StressFactor, double);
  ///@}

  ///@{
  /**
   * Largest angle between the most compressive direction of a grain and the line to the next one,
   * in degrees; default 45, in (0, 90].
   */
  vtkSetMacro(LargestAngle, double);
  vtkGetMacro(LargestAngle, double);
  ///@}

  ///@{
  /**
   * Grains that a chain has at least; default 3, >= 3.
   */
  vtkSetMacro(FewestGrains, int);
  vtkGetMacro(FewestGrains, int);
  ///@}

  ///@{
  /**
   * Contacts of the strong network have a normal force above this factor times the mean; without
   * unit, default 1, >= 0.
   */
  vtkSetMacro(ForceFactor, double);
  vtkGetMacro(ForceFactor, double);
  ///@}

  ///@{
  /**
   * Three grains in a row of a chain buckle when they bend by more than this between two times, in
   * degrees; default 1, >= 0.
   */
  vtkSetMacro(BucklingAngle, double);
  vtkGetMacro(BucklingAngle, double);
  ///@}

protected:
  vtkDEMForceChains();
  ~vtkDEMForceChains() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestData(vtkInformation* request, vtkInformationVector** inputVector,
    vtkInformationVector* outputVector) override;

private:
  vtkDEMForceChains(const vtkDEMForceChains&) = delete;
  void operator=(const vtkDEMForceChains&) = delete;

  int Method = FORCE_CHAINS;
  double StressFactor = 1;
  double LargestAngle = 45;
  int FewestGrains = 3;
  double ForceFactor = 1;
  double BucklingAngle = 1;

  struct Result;
  void CheckMoments();
  void Compute(vtkInformationVector** inputVector, vtkPointSet* particles, Result& result);
  void Compare(double time, Result& result);

  class vtkInternals;
  std::unique_ptr<vtkInternals> Internals;
};

#endif
