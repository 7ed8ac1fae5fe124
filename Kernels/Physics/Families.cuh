// The families of contact models, and what is the same for all of them: which models are chosen,
// and the columns of their history. A new model is a struct in a file of its family's folder and an
// entry in the family's list here. Used by ContactLaw.cuh and by all lists of contacts.
//
// Each model has isChosen(law), and the functions that its family calls: normal and cohesion models
// in stiffness() and reachOf() below, the others in ContactLaw.cuh. A model with history also has
// kHistory, which describes its columns, and column(history, c), which returns column c. Branches
// are uniform over a launch; the options of LawParameters::isPlain are compiled apart.
#pragma once

#include "Physics/Cohesion/Jkr.cuh"
#include "Physics/Normal/HertzMindlin.cuh"
#include "Physics/Normal/LinearSpringDashpot.cuh"
#include "Physics/Rolling/RollingCdt.cuh"
#include "Physics/Rolling/RollingEpsd.cuh"
#include "Physics/Statistics/ContactStatistics.cuh"
#include "Physics/Tangential/TangentialDashpot.cuh"
#include "Physics/Tangential/TangentialSpring.cuh"

#include <type_traits>
#include <utility>

namespace dem
{

template <class... Models>
struct Family
{
};

using NormalModels = Family<HertzMindlin, LinearSpringDashpot>;
using TangentialModels = Family<TangentialSpring, TangentialDashpot>;
using RollingModels = Family<RollingCdt, RollingEpsd>;
using CohesionModels = Family<Jkr>;
using StatisticsModels = Family<ContactStatistics>;

/// Calls use(model) for the model that the law chooses, if any.
template <class Law, class Use, class... Models>
DEM_HD void withChosen(Family<Models...>, const Law& law, const Use& use)
{
  ((Models::isChosen(law) ? use(Models{}) : void()), ...);
}

/// Returns result(model) for the model that the law chooses. One model of the family is always
/// chosen.
template <class Law, class Result, class First, class... Others>
DEM_HD auto ofChosen(Family<First, Others...>, const Law& law, const Result& result)
{
  if constexpr (sizeof...(Others) == 0)
    return result(First{});
  else
  {
    if (First::isChosen(law))
      return result(First{});
    return ofChosen(Family<Others...>{}, law, result);
  }
}

namespace detail
{
template <class Model, class = void>
struct ColumnsOf
{
  static constexpr int kCount = 0;
};
template <class Model>
struct ColumnsOf<Model, std::void_t<decltype(Model::kHistory)>>
{
  static constexpr int kCount = sizeof(Model::kHistory) / sizeof(HistoryColumn);
};

// Calls visit(c) for the columns of a model; c is a compile-time constant, because devices cannot
// read Model::kHistory.
template <class Visit, int... kColumns>
DEM_HD void visitColumns(std::integer_sequence<int, kColumns...>, const Visit& visit)
{
  (visit(std::integral_constant<int, kColumns>{}), ...);
}
template <class Model, class Visit>
DEM_HD void visitColumns(const Visit& visit)
{
  visitColumns(std::make_integer_sequence<int, ColumnsOf<Model>::kCount>{}, visit);
}

template <class... Models>
constexpr int mostColumns(Family<Models...>)
{
  int most = 0;
  ((most = ColumnsOf<Models>::kCount > most ? ColumnsOf<Models>::kCount : most), ...);
  return most;
}

template <class Visit, class... Models>
DEM_HD void visitWithHistory(Family<Models...>, const Visit& visit)
{
  const auto one = [&](auto model) DEM_LAMBDA {
    if constexpr (ColumnsOf<decltype(model)>::kCount > 0)
      visit(model);
  };
  (one(Models{}), ...);
}

// Calls visit(model) for all models with history, in the order of their columns.
template <class Visit>
DEM_HD void visitWithHistory(const Visit& visit)
{
  visitWithHistory(TangentialModels{}, visit);
  visitWithHistory(RollingModels{}, visit);
  visitWithHistory(CohesionModels{}, visit);
  visitWithHistory(StatisticsModels{}, visit);
}
} // namespace detail

/// Largest number of history columns that any choice of models has.
constexpr int kMostHistoryColumns = detail::mostColumns(TangentialModels{}) +
  detail::mostColumns(RollingModels{}) + detail::mostColumns(CohesionModels{}) +
  detail::mostColumns(StatisticsModels{});

/// First column of a model's history among the columns of a contact.
template <class Model, class Law>
DEM_HD int firstColumnOf(const Law& law)
{
  int column = 0;
  bool found = false;
  detail::visitWithHistory([&](auto model) DEM_LAMBDA {
    found = found || std::is_same_v<decltype(model), Model>;
    if (!found && decltype(model)::isChosen(law))
      column += detail::ColumnsOf<decltype(model)>::kCount;
  });
  return column;
}

/// First of the three columns in which contacts of tablets store their normal.
template <class Law>
DEM_HD int directionColumn(const Law& law)
{
  int column = 0;
  detail::visitWithHistory([&](auto model) DEM_LAMBDA {
    if (decltype(model)::isChosen(law))
      column += detail::ColumnsOf<decltype(model)>::kCount;
  });
  return column;
}

/// Number of history columns of a contact.
template <class Law>
DEM_HD int historyColumns(const Law& law)
{
  return directionColumn(law) + (law.direction ? 3 : 0);
}

/// Reads the history of a contact from its columns. read(c) returns the value in column c.
template <class Real, class Law, class Read>
DEM_HD ContactHistory<Real> readHistory(const Law& law, const Read& read)
{
  ContactHistory<Real> history;
  int column = 0;
  detail::visitWithHistory([&](auto model) DEM_LAMBDA {
    using Model = decltype(model);
    if (Model::isChosen(law))
      for (int c = 0; c < detail::ColumnsOf<Model>::kCount; ++c)
        Model::column(history, c) = read(column++);
  });
  return history;
}

/// Writes the history of a contact to its columns: write(c, value) stores the value of column c.
template <class Real, class Law, class Write>
DEM_HD void writeHistory(const Law& law, ContactHistory<Real>& history, const Write& write)
{
  int column = 0;
  detail::visitWithHistory([&](auto model) DEM_LAMBDA {
    using Model = decltype(model);
    if (Model::isChosen(law))
      for (int c = 0; c < detail::ColumnsOf<Model>::kCount; ++c)
        write(column++, Model::column(history, c));
  });
}

/// Applies turn(value) to all columns that change their sign if the sides of a pair are swapped.
template <class Real, class Turn>
DEM_HD void turnHistory(ContactHistory<Real>& history, const Turn& turn)
{
  detail::visitWithHistory([&](auto model) DEM_LAMBDA {
    using Model = decltype(model);
    detail::visitColumns<Model>([&](auto c) DEM_LAMBDA {
      constexpr int kColumn = decltype(c)::value;
      if constexpr (Model::kHistory[kColumn].odd)
        Model::column(history, kColumn) = turn(Model::column(history, kColumn));
    });
  });
}

/// Stiffness, elastic force and energy of the law's normal and cohesion models. `radius`: R*, m.
/// `mass`: m*, kg. `overlap`: m.
template <class Scalar, class Real>
DEM_HD Stiffness<Real> stiffness(const LawParameters<Scalar>& law,
  const PairCoefficients<Real>& pair, const Real& radius, const Real& mass, const Real& overlap)
{
  // Steering may leave a stretched contact without cohesion; its bare force is 0.
  const Real bare =
    law.cohesion == CohesionModel::None ? overlap : select(overlap > Real(0), overlap, Real(0));
  Stiffness<Real> out = ofChosen(NormalModels{}, law, [&](auto model) DEM_LAMBDA {
    return decltype(model)::stiffness(law, pair, radius, mass, bare);
  });
  withChosen(CohesionModels{}, law,
    [&](auto model) DEM_LAMBDA { out = decltype(model)::changed(pair, radius, overlap, out); });
  return out;
}

/// Gap up to which a contact acts after it touched, m; 0 without cohesion. `radius`: R*, m.
template <class Scalar, class Real>
DEM_HD Real reachOf(
  const LawParameters<Scalar>& law, const PairCoefficients<Real>& pair, const Real& radius)
{
  Real reach(0);
  withChosen(CohesionModels{}, law,
    [&](auto model) DEM_LAMBDA { reach = decltype(model)::reach(pair, radius); });
  return reach;
}

/// Part of the normal force with which cohesion pulls, N; 0 without cohesion. Arguments as in
/// stiffness().
template <class Scalar, class Real>
DEM_HD Real cohesiveForce(const LawParameters<Scalar>& law, const PairCoefficients<Real>& pair,
  const Real& radius, const Real& overlap)
{
  Real force(0);
  withChosen(CohesionModels{}, law,
    [&](auto model) DEM_LAMBDA { force = decltype(model)::pull(pair, radius, overlap); });
  return force;
}

/// Whether a contact acts: the bodies overlap, or they `touched` in the previous step and their gap
/// is smaller than the reach. An overlap that is NaN acts, so that it is reported.
template <class Scalar, class Real>
DEM_HD bool touching(const LawParameters<Scalar>& law, const PairCoefficients<Real>& pair,
  const Real& radius, const Real& overlap, bool touched)
{
  if (!(overlap <= Real(0)))
    return true;
  return touched && law.cohesion != CohesionModel::None && -overlap < reachOf(law, pair, radius);
}

/// What cohesion changes in the contact law, besides stiffness().
template <class Real>
struct Adhesion
{
  Truth<Real> sticks{ false };
  Real added{ 0 };      // N: is added to the normal force in the limits of friction and rolling
  Real separation{ 0 }; // m: the overlap at which the contact ends
  Real pull{ 0 };       // N: the elastic force if it pulls, otherwise 0
};

/// The adhesion of a contact with the elastic force `elastic_force` (N); zeros without cohesion.
template <class Scalar, class Real>
DEM_HD Adhesion<Real> adhesionOf(const LawParameters<Scalar>& law,
  const PairCoefficients<Real>& pair, const Real& radius, const Real& elastic_force)
{
  Adhesion<Real> out;
  withChosen(CohesionModels{}, law, [&](auto model) DEM_LAMBDA {
    using Model = decltype(model);
    const Real zero(0);
    out.sticks = pair.adhesion > zero;
    out.added = Model::addedToLimit(pair, radius);
    out.separation = select(out.sticks, -Model::reach(pair, radius), zero);
    out.pull = select(elastic_force < zero, elastic_force, zero);
  });
  return out;
}

/// Coefficient of the normal dashpot, N s/m. Arguments as in stiffness().
template <class Real>
DEM_HD Real normalDamping(const LawParameters<Real>& law, const PairCoefficients<Real>& pair,
  const Real& radius, const Real& mass, const Real& overlap)
{
  using std::sqrt;
  return pair.damping * sqrt(stiffness(law, pair, radius, mass, overlap).normal * mass);
}

} // namespace dem
