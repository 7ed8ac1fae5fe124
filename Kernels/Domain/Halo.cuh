// The ghosts of a part in each step: their owners send place, velocity and spin, and the stop flag
// of the batch. Where grains have shapes of their own, also orientations and what a device knows
// about their ways. Used by Subdomain.cuh, which chooses the ghosts, and by Solver/Engine.cuh.
#pragma once

#include "Core/Array.h"
#include "Domain/HaloKernels.cuh"
#include "Domain/Mailbox.cuh"
#include "Domain/PartLink.h"
#include "Measure/RunOwners.cuh"
#include "NeighborList/BuildList.cuh"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace dem
{

/// First entries of lists for each part that lie one behind the other.
using PartStarts = std::array<std::uint32_t, kMostParts + 1>;

template <class Exec, class Real>
class Halo
{
public:
  template <class T>
  using Buffer = Array<T, Exec>;

  Halo(Exec& exec, ParticleStore<Exec, Real>& particles, Bodies<Exec, Real>& bodies,
    const PartOfRun& part)
    : exec_(exec)
    , particles_(particles)
    , bodies_(bodies)
    , link_(*part.link)
    , own_(part.part)
    , peer_access_(part.peer_access)
    , mail_(exec, *part.link, part.part)
  {
  }

private:
  Exec& exec_; // before the arrays that use it

public:
  /// Own particles that are ghosts elsewhere, by part; and the ghosts here, by owner, in the order
  /// of the owner's list.
  Buffer<std::uint32_t> send_place{ exec_ }, ghost_place{ exec_ };
  PartStarts send_start{}, ghost_start{};

  std::uint32_t ghosts() const { return static_cast<std::uint32_t>(ghost_place.size()); }

  void clear()
  {
    send_start.fill(0);
    ghost_start.fill(0);
    send_place.resize(0);
    ghost_place.resize(0);
    mail_.clear();
    turn_ = 0;
  }

  /// Must be called when the lists have their final places. Tells the other parts where they find
  /// what this one sends.
  void share()
  {
    Post post{ &exec_, {}, {}, send_place.data(), send_start };
    const std::size_t words =
      withRecord([](auto record) { return sizeof record / sizeof(std::uint64_t); });
    for (int side = 0; side < 2; ++side)
    {
      outbox_[side].resize(send_place.size() * words, 1.1);
      head_[side].resize(1);
      post.records[side] = outbox_[side].data();
      post.heads[side] = head_[side].data();
    }
    exec_.mark(0);
    posts_ = link_.gather(own_, post);
    inbox_.resize(ghosts() * words, 1.1);
    in_head_.resize(posts_.size());
    if (reads_.empty())
      findAccess();
    if (reads_all_)
      copyPlaces();
  }

  /// Calls use(record) with a value of the record that a step sends of a particle.
  template <class Use>
  auto withRecord(const Use& use)
  {
    return bodies_.shapes().shaped ? use(TurnedRecord<Real>{}) : use(HaloRecord<Real>{});
  }
  /// What records are made from. `path`: SurfacePaths::path, or null before it is built.
  HaloState<Real> state(float* path)
  {
    const bool of_bodies = bodies_.inUse();
    return HaloState<Real>::of(
      particles_.view(), path, of_bodies ? static_cast<Real>(kSphereShape) : Real(0));
  }

  /// Sends and receives the ghosts of a step, and ends the batch on all parts if one ends it.
  /// `beside`: the step wrote to other memory than the one before (ParticleStore::movedBeside), so
  /// that other parts may read it until the next step but one. `path`: see state().
  void queue(StepControl* control, unsigned batch_step, bool beside, float* path)
  {
    const unsigned side = turn_ = 1 - turn_;
    if (beside && reads_all_)
      return queueReads(control, batch_step, side);
    withRecord(
      [&](auto record) { queuePacked<decltype(record)>(control, batch_step, side, state(path)); });
  }

  /// Copies the values of a column from the owners to the ghosts. Waits for all parts.
  void copyColumn(double* column)
  {
    copyValues(
      values_out_, values_in_,
      [&](double* to) {
        exec_.forEach(send_place.size(), GatherArray<double>{ column, send_place.data(), to });
      },
      [&](const double* from) {
        exec_.forEach(ghosts(), ScatterColumn{ from, ghost_place.data(), column });
      });
  }
  /// Copies the orientations of the bodies of the ghosts, which then are up to date in the rows of
  /// the bodies here. Waits for all parts.
  void copyTurns()
  {
    const BodyView view = bodies_.view();
    const std::int64_t* const id = particles_.id();
    chosen_.resize(bodies_.size());
    copyValues(
      turns_out_, turns_in_,
      [&](Vec4<double>* to) {
        exec_.forEach(send_place.size(), PackTurns{ view, id, send_place.data(), to });
      },
      [&](const Vec4<double>* from) {
        exec_.forEach(ghosts(), ChooseTurns{ view, id, ghost_place.data(), chosen_.data() });
        exec_.forEach(ghosts(), TakeTurns{ view, id, ghost_place.data(), chosen_.data(), from });
      });
  }

private:
  struct Post
  {
    const Exec* exec;
    const std::uint64_t* records[2]; // of alternating steps, as words
    const HaloHead* heads[2];
    const std::uint32_t* places; // send_place
    PartStarts starts;
  };
  // Where the state of a part is after a step.
  struct StepPost
  {
    const Vec4<double>* position;
    const Vec4<Real>*velocity, *spin;
    const StepControl* control;
  };

  // Finds out whose memory kernels of this device can read, and whether all can read all.
  void findAccess()
  {
    bool all = true;
    for (const Post& other : posts_)
    {
      reads_.push_back(peer_access_ && link_.sharesMemory() && exec_.reads(*other.exec));
      all = all && reads_.back();
    }
    reads_all_ = !link_.any(own_, !all);
  }

  template <class Record>
  void queuePacked(
    StepControl* control, unsigned batch_step, unsigned side, const HaloState<Real>& state)
  {
    static_assert(sizeof(Record) % sizeof(std::uint64_t) == 0, "sent as words");
    const auto sent = static_cast<std::uint32_t>(send_place.size());
    auto* const out = reinterpret_cast<Record*>(outbox_[side].data());
    exec_.forEach(sent + 1,
      PackHalo<Real, Record>{
        state, control, batch_step, send_place.data(), out, head_[side].data(), sent });
    exec_.mark(side);
    if (link_.sharesMemory())
      link_.await(own_);
    else
      deliver(side, out);
    auto read = reading<Record, true>(control, batch_step, state);
    forOthers(
      [&](int p, HaloSource<Real, Record>& source) {
        const Post& post = posts_[p];
        source.records = reinterpret_cast<const Record*>(post.records[side]) + post.starts[own_];
        source.head = post.heads[side];
        if (reads_[p])
          return exec_.await(*post.exec, side);
        Record* const in = reinterpret_cast<Record*>(inbox_.data()) + ghost_start[p];
        mail_.fetch(p, in, post.exec, side, source.records,
          (ghost_start[p + 1] - ghost_start[p]) * sizeof(Record));
        mail_.fetch(p, in_head_.data() + p, post.exec, side, source.head, sizeof(HaloHead));
        source.records = in;
        source.head = in_head_.data() + p;
      },
      read);
    run(read);
  }

  // Copies a value for each ghost: pack(to) writes those that this part sends, take(from) gets
  // those of the ghosts.
  template <class T, class Pack, class Take>
  void copyValues(Buffer<T>& out, Buffer<T>& in, const Pack& pack, const Take& take)
  {
    constexpr unsigned kMark = 0;
    out.resize(send_place.size(), 1.1);
    in.resize(ghosts(), 1.1);
    pack(out.data());
    exec_.mark(kMark);
    for (int p = 0; p < link_.parts(); ++p)
      mail_.put(p, out.data() + send_start[p], (send_start[p + 1] - send_start[p]) * sizeof(T));
    const std::vector<const T*> values = link_.gather(own_, static_cast<const T*>(out.data()));
    mail_.deliver();
    for (int p = 0; p < link_.parts(); ++p)
      mail_.fetch(p, in.data() + ghost_start[p], posts_[p].exec, kMark,
        values[p] + posts_[p].starts[own_], (ghost_start[p + 1] - ghost_start[p]) * sizeof(T));
    take(in.data());
    exec_.synchronize();
    link_.await(own_); // the others have read `out`
  }

  template <class Record>
  void deliver(unsigned side, const Record* out)
  {
    for (int p = 0; p < link_.parts(); ++p)
      if (p != own_)
      {
        mail_.put(p, out + send_start[p], (send_start[p + 1] - send_start[p]) * sizeof(Record));
        mail_.put(p, head_[side].data(), sizeof(HaloHead));
      }
    mail_.deliver();
  }

  // Copies the places of the ghosts at their owners.
  void copyPlaces()
  {
    place_there_.resize(ghosts(), 1.1);
    for (int p = 0; p < link_.parts(); ++p)
      if (ghost_start[p + 1] > ghost_start[p])
      {
        exec_.await(*posts_[p].exec, 0);
        exec_.copyFrom(*posts_[p].exec, place_there_.data() + ghost_start[p],
          posts_[p].places + posts_[p].starts[own_],
          (ghost_start[p + 1] - ghost_start[p]) * sizeof(std::uint32_t));
      }
  }

  // Reads the state of the other parts as their step left it.
  void queueReads(StepControl* control, unsigned batch_step, unsigned side)
  {
    const StateView<Real> state = particles_.view();
    exec_.mark(side);
    const std::vector<StepPost> steps =
      link_.gather(own_, StepPost{ state.position, state.velocity, state.spin, control });
    using Record = HaloRecord<Real>;
    auto read = reading<Record, false>(control, batch_step, this->state(nullptr));
    forOthers(
      [&](int p, HaloSource<Real, Record>& source) {
        exec_.await(*posts_[p].exec, side);
        source.position = steps[p].position;
        source.velocity = steps[p].velocity;
        source.spin = steps[p].spin;
        source.control = steps[p].control;
      },
      read);
    run(read);
  }

  template <class Record, bool kPacked>
  ReadHalo<Real, Record, kPacked> reading(
    StepControl* control, unsigned batch_step, const HaloState<Real>& state)
  {
    return { state, control, batch_step, ghost_place.data(), place_there_.data(), ghosts(), 0, {} };
  }
  // Calls set(part, source) for each other part.
  template <class Set, class Read>
  void forOthers(const Set& set, Read& read)
  {
    for (int p = 0; p < link_.parts(); ++p)
      if (p != own_)
      {
        auto& source = read.sources[read.count++];
        source.begin = ghost_start[p];
        set(p, source);
      }
  }
  template <class Read>
  void run(const Read& read)
  {
    exec_.forEach(std::size_t(read.n) + read.count, read);
  }

  ParticleStore<Exec, Real>& particles_;
  Bodies<Exec, Real>& bodies_;
  PartLink& link_;
  const int own_;
  const bool peer_access_;
  Mailbox<Exec> mail_;
  std::vector<bool> reads_; // whether kernels here can read the memory of each part
  bool reads_all_ = false;  // whether all parts can read the memory of all
  std::vector<Post> posts_; // of all parts
  unsigned turn_ = 0;       // side of the next step
  Buffer<std::uint64_t> outbox_[2]{ Buffer<std::uint64_t>(exec_), Buffer<std::uint64_t>(exec_) };
  Buffer<HaloHead> head_[2]{ Buffer<HaloHead>(exec_), Buffer<HaloHead>(exec_) };
  Buffer<std::uint64_t> inbox_{ exec_ }; // copies, if kernels cannot read the other memory
  Buffer<HaloHead> in_head_{ exec_ };
  Buffer<std::uint32_t> place_there_{ exec_ };
  Buffer<double> values_out_{ exec_ }, values_in_{ exec_ };
  Buffer<Vec4<double>> turns_out_{ exec_ }, turns_in_{ exec_ };
  Buffer<std::uint32_t> chosen_{ exec_ };
};

} // namespace dem
