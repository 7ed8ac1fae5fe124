/**
 * The materials of a run in the client: their names in the colour map of `Material`, and the lists
 * of their values in the panel.
 */

#ifndef vtkSMDEMMaterials_h
#define vtkSMDEMMaterials_h

#include <string>

class vtkSMProxy;
class vtkSMSourceProxy;

class vtkSMDEMMaterials
{
public:
  /**
   * `run` owns this object.
   */
  explicit vtkSMDEMMaterials(vtkSMSourceProxy* run)
    : Run(run)
  {
  }

  /**
   * Makes the names of the materials (`MaterialsInUse`) the annotations of the colour map of
   * `Material`, if there is one. Only when the materials of the run change, so that edits of the
   * map by the user stay, and only if the map colours this run or no run: NameShown then follows.
   */
  void NameInColorMap();

  /**
   * Makes the annotations of the colour map of `Material` those of the runs that it colours in
   * views, after a property of `representation` has changed. The run of `representation` comes
   * first; runs with more materials add theirs. Names of other runs are removed.
   */
  static void NameShown(vtkSMProxy* representation);

  /**
   * Fills lists of materials that a script left empty with the values of the grain material, which
   * the run takes for them, so that the panel shows these.
   */
  void FillLists();

private:
  vtkSMSourceProxy* Run;
  std::string Named; // `MaterialsInUse` that the colour map has
};

#endif
