// Kernel and driver of ContactBatch.h, for both devices.
#pragma once

#include "Core/Array.h"
#include "Core/Error.h"
#include "Shapes/ContactBatch.h"
#include "Shapes/ShapeContact.cuh"

namespace dem
{
namespace detail
{

template <class Real>
struct AnswerQueries
{
  ShapeView<Real> shapes;
  const ContactQuery* queries;
  ContactAnswer* answers;

  DEM_HD void operator()(unsigned i) const
  {
    const ContactQuery q = queries[i];
    const auto real = [](double v) { return static_cast<Real>(v); };
    const auto near = [&](const Vec3d& p) { return (p - q.center[0]).template as<Real>(); };
    const ShapePose<Real> a = shapePose(Vec3<Real>{}, q.orientation[0], real(q.radius[0]));
    ContactGeometry<Real> c;
    if (q.partner == ContactPartner::Grain)
      c = grainContact(shapes, q.shape[0], a, q.shape[1],
        shapePose(near(q.center[1]), q.orientation[1], real(q.radius[1])));
    else if (q.partner == ContactPartner::Plane)
      c = planeContact(shapes, q.shape[0], a, near(q.corner[0]), q.corner[1].template as<Real>());
    else if (q.partner == ContactPartner::Triangle)
    {
      ContactTriangle<Real> t{ near(q.corner[0]), near(q.corner[1]), near(q.corner[2]) };
      for (int k = 0; k < 3; ++k)
        t.neighbor[k] = q.neighbor[k].template as<Real>();
      c = triangleContact(shapes, q.shape[0], a, t);
    }
    else
      c = coneContact(shapes, q.shape[0], a,
        ContactCone<Real>{
          near(q.corner[0]), near(q.corner[1]), real(q.cone_radius[0]), real(q.cone_radius[1]) });
    answers[i] = answer(q, c);
  }
  DEM_HD static ContactAnswer answer(const ContactQuery& q, const ContactGeometry<Real>& c)
  {
    return { c.overlap, c.normal.template as<double>(), q.center[0] + c.point.template as<double>(),
      c.radius, c.rolling_radius, c.share, c.feature };
  }
};

struct NoRefinement
{
  template <class Exec, class Table, class Answer>
  void operator()(Exec&, const Table&, const Answer&) const
  {
  }
};

/// Answers all queries. `refine` may overwrite some answers by another method.
template <class Real, class Exec, class Refine = NoRefinement>
std::vector<ContactAnswer> answerQueries(Exec& exec, const std::vector<Shape>& shapes,
  const std::vector<ContactQuery>& queries, const Refine& refine = {})
{
  const ShapeTable<Real> table(shapes);
  const DeviceShapes<Exec, Real> on_device(exec, table);
  Array<ContactQuery, Exec> asked(exec);
  Array<ContactAnswer, Exec> answers(exec);
  asked.assign(queries);
  answers.resize(queries.size());
  const AnswerQueries<Real> answer{ on_device.view(), asked.data(), answers.data() };
  exec.forEach(queries.size(), answer);
  refine(exec, table, answer);
  return answers.host();
}

std::vector<ContactAnswer> findContactsOnCuda(const std::vector<Shape>& shapes,
  const std::vector<ContactQuery>& queries, bool double_precision, const Device& device);

} // namespace detail
} // namespace dem
