/**
 * The rigid motion of a wall given as a mesh at several times.
 */

#ifndef vtkDEMWallSeries_h
#define vtkDEMWallSeries_h

#include "Scene/Scene.h"

#include <string>
#include <vector>

/**
 * Collects the poses of one wall and converts them to a motion of the solver: a translation with a
 * constant velocity between two times, or a rotation about one fixed axis with a constant rate
 * between two times. The wall is at rest before the first and after the last time. Every method
 * throws dem::Error, beginning with `what`, if the wall moves in another way.
 */
class vtkDEMWallSeries
{
public:
  /**
   * `points` (m) and `cells` (numbers that define the topology) of the wall at the first `time`
   * (s).
   */
  vtkDEMWallSeries(const std::string& what, const std::vector<dem::Vec3d>& points,
    std::vector<double>&& cells, double time);

  /**
   * Adds the wall at a later time. Its cells must be those of the first time, and its points a
   * rigid motion of the first, to 1e-6 of its size.
   */
  void Add(const std::vector<dem::Vec3d>& points, const std::vector<double>& cells, double time);

  /**
   * Sets the motion of `wall`, number `index` of the scene, and appends the changes of its speed to
   * `events`. A wall with equal poses at all times keeps its motion.
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
