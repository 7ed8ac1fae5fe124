/**
 * Sprites that are shaded like spheres, and the selection of a representation. For the
 * representations of grains and contacts.
 */

#ifndef vtkDEMSprites_h
#define vtkDEMSprites_h

#include "vtkOpenGLActor.h"
#include "vtkSmartPointer.h"

#include <algorithm>
#include <vector>

class vtkDataObject;
class vtkDataRepresentation;
class vtkDataSet;
class vtkGeometryRepresentation;
class vtkPointGaussianMapper;
class vtkView;

//------------------------------------------------------------------------------
// Actor whose bounds include the radii of the spheres, since compositors cut images at the bounds
// of actors.
class vtkDEMSpheresActor : public vtkOpenGLActor
{
public:
  static vtkDEMSpheresActor* New();
  vtkTypeMacro(vtkDEMSpheresActor, vtkOpenGLActor);

  double* GetBounds() override
  {
    const double* bounds = this->Superclass::GetBounds();
    if (!bounds || bounds[0] > bounds[1])
    {
      return const_cast<double*>(bounds);
    }
    const double* scale = this->GetScale();
    const double margin = this->Margin * std::max({ scale[0], scale[1], scale[2] });
    for (int i = 0; i < 3; ++i)
    {
      this->Inflated[2 * i] = bounds[2 * i] - margin;
      this->Inflated[2 * i + 1] = bounds[2 * i + 1] + margin;
    }
    return this->Inflated;
  }

  double Margin = 0;

protected:
  vtkDEMSpheresActor() = default;
  ~vtkDEMSpheresActor() override = default;

private:
  vtkDEMSpheresActor(const vtkDEMSpheresActor&) = delete;
  void operator=(const vtkDEMSpheresActor&) = delete;

  double Inflated[6] = { 0, 0, 0, 0, 0, 0 };
};

namespace vtkDEMSprites
{

/**
 * Size of the shell of a selected grain, relative to the grain.
 */
constexpr double ShellFactor = 1.02;

/**
 * Makes an actor whose mapper draws each point as a sphere with a radius of 1 m times its scale
 * array and factor.
 */
vtkSmartPointer<vtkDEMSpheresActor> MakeActor(vtkPointGaussianMapper* mapper);

/**
 * The representation by which ParaView marks the selection of the data of `shown`; null if it is
 * not visible.
 */
vtkGeometryRepresentation* FindMarks(vtkView* view, vtkDataRepresentation* shown);

/**
 * The data set itself, or the data sets of a composite one.
 */
std::vector<vtkDataSet*> Leaves(vtkDataObject* object);

} // namespace vtkDEMSprites

#endif
