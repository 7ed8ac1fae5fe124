/**
 * The rigid motion of a wall that is given as a mesh at several times.
 */

#ifndef vtkDEMWallSeries_h
#define vtkDEMWallSeries_h

#include "Scene/Scene.h"

#include <string>
#include <vector>

/**
 * Collects the poses of one wall and turns them into a motion that the solver has: a translation
 * whose velocity is constant between two times, or a rotation about one fixed axis whose rate is.
 * At rest before the first and after the last time. Every method throws dem::Error, which begins
 * with `what`, where the wall moves otherwise.
 */
class vtkDEMWallSeries
{
public:
  /**
   * Points in m and cells, in numbers that tell its topology, at the first time, in s.
   */
  vtkDEMWallSeries(const std::string& what, const std::vector<dem::Vec3d>& points,
    std::vector<double>&& cells, double time);

  /**
   * The wall at a later time. It must have the cells of the first time and be a rigid motion of it,
   * to 1e-6 of its size.
   */
  void Add(const std::vector<dem::Vec3d>& points, const std::vector<double>& cells, double time);

  /**
   * Sets the motion of `wall`, number `index` of the scene, and appends the changes of its speed to
   * `events`. A wall whose poses are all equal keeps the motion that it has.
   */
  void Finish(dem::Wall& wall, std::size_t index, std::vector<dem::Event>& events) const;

private:
  struct Pose
  {
    double Time;
    dem::Quaternion<double> Turn; // about the centroid at the first time
    dem::Vec3d Shift;             // of the centroid
  };

  dem::Vec3d Moved(const Pose& pose, const dem::Vec3d& point) const;
  bool FindTranslation(dem::Motion& motion, std::vector<dem::Event>& events, double index) const;
  bool FindRotation(dem::Motion& motion, std::vector<dem::Event>& events, double index) const;

  std::string What;
  std::vector<dem::Vec3d> Base;
  std::vector<double> Cells;
  dem::Vec3d Centroid;
  dem::Vec3d Corners[8]; // of the bounds at the first time
  double Tolerance;      // m
  std::vector<Pose> Poses;
};

#endif
