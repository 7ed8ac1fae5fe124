/**
 * Points as sprites that are shaded like spheres, and what of a representation is selected: shared
 * by the representations of grains and contacts.
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
// Its bounds reach to the spheres' surfaces: compositors cut images at the bounds of actors.
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
 * Size of the shell of a selected grain, over that of the grain.
 */
constexpr double ShellFactor = 1.02;

/**
 * An actor whose mapper draws each point as a sphere of the radius 1 m, which its scale array and
 * factor multiply.
 */
vtkSmartPointer<vtkDEMSpheresActor> MakeActor(vtkPointGaussianMapper* mapper);

/**
 * The representation by which ParaView marks what is selected of that which `shown` shows; null
 * where it is not visible.
 */
vtkGeometryRepresentation* FindMarks(vtkView* view, vtkDataRepresentation* shown);

/**
 * The data set, or the data sets of a composite one.
 */
std::vector<vtkDataSet*> Leaves(vtkDataObject* object);

} // namespace vtkDEMSprites

#endif
