/**
 * @class   vtkDEMForceChains
 * @brief   force chains: rows of grains that carry most of the load
 *
 * Input port 0: grains, as for vtkDEMContactNetwork. Input port 1, optional: contacts with forces,
 * of port `Contacts` of a simulation or of vtkDEMContactNetwork. Without it, and if input port 0 is
 * port `Particles` of a simulation, the contacts are those of that simulation. Contacts without
 * forces are an error.
 *
 * Force chains are defined after Peters et al. 2005; dem::ChainOptions has the exact definition.
 * STRONG_NETWORK gives all contacts with a normal force above ForceFactor times the mean (Radjai et
 * al. 1998).
 *
 * - port 0 `Chains` (vtkPolyData): one polyline per chain through its centres, closed for a ring;
 * one line per contact of the strong network. Cell arrays: ChainId (strong network: number of the
 * connected cluster), GrainCount, Length (m), MeanForce (N, normal force of its links). Point
 * arrays: Id (a wall is -1 - its number), Load (Pa, the size of the most compressive principal
 * stress), Force (N, mean normal force of the links at the point; the active scalars).
 * - port 1 `Particles` (vtkPolyData, vertices): the input's points with the arrays ForceChain (its
 * ChainId, -1 outside) and InForceChain (0 or 1; the active scalars), and for force chains Load
 * (Pa) and LoadDirection.
 * - port 2 `Events` (vtkTable): births, deaths and bucklings of chains between the last two
 * requested times, forward in time whatever their order. Columns: Event, FromTime, ToTime (s),
 * ChainId (births: at ToTime, else at FromTime), GrainId (first grain; bucklings: middle grain),
 * GrainCount, BucklingAngle (degrees), Position (m). No rows before the second request, or for the
 * strong network. It is the only output that depends on earlier requests.
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
   * Method: FORCE_CHAINS (default) or STRONG_NETWORK.
   */
  vtkSetClampMacro(Method, int, FORCE_CHAINS, STRONG_NETWORK);
  vtkGetMacro(Method, int);
  ///@}

  ///@{
  /**
   * Least load of the grains of a chain, relative to the mean over all grains with contacts;
   * without unit, default 1, >= 0.
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
   * Least number of grains of a chain; default 3, >= 3.
   */
  vtkSetMacro(FewestGrains, int);
  vtkGetMacro(FewestGrains, int);
  ///@}

  ///@{
  /**
   * Least normal force in the strong network, relative to the mean; without unit, default 1, >= 0.
   */
  vtkSetMacro(ForceFactor, double);
  vtkGetMacro(ForceFactor, double);
  ///@}

  ///@{
  /**
   * Three consecutive grains of a chain buckle if they bend by more than this angle between two
   * times, in degrees; default 1, >= 0.
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
  void Compute(vtkPointSet* particles, const vtkSmartPointer<vtkPolyData>& known, Result& result);
  void Compare(double time, Result& result);

  class vtkInternals;
  std::unique_ptr<vtkInternals> Internals;
};

#endif
