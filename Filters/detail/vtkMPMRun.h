/**
 * The run of vtkMPMSimulation.
 */

#ifndef vtkMPMRun_h
#define vtkMPMRun_h

#include "MaterialPoint/MpmTimeline.h"
#include "detail/vtkDEMSteeredRun.h"

using vtkMPMRun = vtkDEMSteeredRun<mpm::Timeline>;

#endif
