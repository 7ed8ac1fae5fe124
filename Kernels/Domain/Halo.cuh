// The ghosts of a part in each step: their owners send place, velocity and spin, and the stop flag
// of the batch. Used by Subdomain.cuh, which chooses the ghosts, and by Solver/Engine.cuh.
#pragma once

#include "Core/Array.h"
#include "Domain/Mailbox.cuh"
#include "Domain/PartLink.h"
#include "Domain/SubdomainKernels.cuh"
#include "Particles/ParticleStore.cuh"

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

  Halo(Exec& exec, ParticleStore<Exec, Real>& particles, const PartOfRun& part)
    : exec_(exec)
    , particles_(particles)
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
    for (int side = 0; side < 2; ++side)
    {
      outbox_[side].resize(send_place.size(), 1.1);
      head_[side].resize(1);
      post.records[side] = outbox_[side].data();
      post.heads[side] = head_[side].data();
    }
    exec_.mark(0);
    posts_ = link_.gather(own_, post);
    inbox_.resize(ghosts(), 1.1);
    in_head_.resize(posts_.size());
    if (reads_.empty())
      findAccess();
    if (reads_all_)
      copyPlaces();
  }

  /// Sends and receives the ghosts of a step, and ends the batch on all parts if one ends it.
  /// `beside`: the step wrote to other memory than the one before (ParticleStore::movedBeside), so
  /// that other parts may read it until the next step but one.
  void queue(StepControl* control, unsigned batch_step, bool beside)
  {
    const unsigned side = turn_ = 1 - turn_;
    if (beside && reads_all_)
      return queueReads(control, batch_step, side);
    const auto sent = static_cast<std::uint32_t>(send_place.size());
    exec_.forEach(sent + 1,
      PackHalo<Real>{ particles_.view(), control, batch_step, send_place.data(),
        outbox_[side].data(), head_[side].data(), sent });
    exec_.mark(side);
    if (link_.sharesMemory())
      link_.await(own_);
    else
      deliver(side);
    auto read = reading<true>(control, batch_step);
    forOthers(
      [&](int p, HaloSource<Real>& source) {
        const Post& post = posts_[p];
        source.records = post.records[side] + post.starts[own_];
        source.head = post.heads[side];
        if (reads_[p])
          return exec_.await(*post.exec, side);
        HaloRecord<Real>* const in = inbox_.data() + ghost_start[p];
        mail_.fetch(p, in, post.exec, side, source.records,
          (ghost_start[p + 1] - ghost_start[p]) * sizeof(HaloRecord<Real>));
        mail_.fetch(p, in_head_.data() + p, post.exec, side, source.head, sizeof(HaloHead));
        source.records = in;
        source.head = in_head_.data() + p;
      },
      read);
    run(read);
  }

  /// Copies the values of a column from the owners to the ghosts. Waits for all parts.
  void copyColumn(double* column)
  {
    constexpr unsigned kMark = 0;
    values_out_.resize(send_place.size(), 1.1);
    values_in_.resize(ghosts(), 1.1);
    exec_.forEach(
      send_place.size(), GatherArray<double>{ column, send_place.data(), values_out_.data() });
    exec_.mark(kMark);
    for (int p = 0; p < link_.parts(); ++p)
      mail_.put(p, values_out_.data() + send_start[p],
        (send_start[p + 1] - send_start[p]) * sizeof(double));
    const std::vector<const double*> values =
      link_.gather(own_, static_cast<const double*>(values_out_.data()));
    mail_.deliver();
    for (int p = 0; p < link_.parts(); ++p)
      mail_.fetch(p, values_in_.data() + ghost_start[p], posts_[p].exec, kMark,
        values[p] + posts_[p].starts[own_], (ghost_start[p + 1] - ghost_start[p]) * sizeof(double));
    exec_.forEach(ghosts(), ScatterColumn{ values_in_.data(), ghost_place.data(), column });
    exec_.synchronize();
    link_.await(own_); // the others have read values_out_
  }

private:
  struct Post
  {
    const Exec* exec;
    const HaloRecord<Real>* records[2]; // of alternating steps
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

  void deliver(unsigned side)
  {
    for (int p = 0; p < link_.parts(); ++p)
      if (p != own_)
      {
        mail_.put(p, outbox_[side].data() + send_start[p],
          (send_start[p + 1] - send_start[p]) * sizeof(HaloRecord<Real>));
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
    auto read = reading<false>(control, batch_step);
    forOthers(
      [&](int p, HaloSource<Real>& source) {
        exec_.await(*posts_[p].exec, side);
        source.position = steps[p].position;
        source.velocity = steps[p].velocity;
        source.spin = steps[p].spin;
        source.control = steps[p].control;
      },
      read);
    run(read);
  }

  template <bool kPacked>
  ReadHalo<Real, kPacked> reading(StepControl* control, unsigned batch_step)
  {
    return { particles_.view(), control, batch_step, ghost_place.data(), place_there_.data(),
      ghosts(), 0, {} };
  }
  // Calls set(part, source) for each other part.
  template <class Set, class Read>
  void forOthers(const Set& set, Read& read)
  {
    for (int p = 0; p < link_.parts(); ++p)
      if (p != own_)
      {
        HaloSource<Real>& source = read.sources[read.count++];
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
  PartLink& link_;
  const int own_;
  const bool peer_access_;
  Mailbox<Exec> mail_;
  std::vector<bool> reads_; // whether kernels here can read the memory of each part
  bool reads_all_ = false;  // whether all parts can read the memory of all
  std::vector<Post> posts_; // of all parts
  unsigned turn_ = 0;       // side of the next step
  Buffer<HaloRecord<Real>> outbox_[2]{ Buffer<HaloRecord<Real>>(exec_),
    Buffer<HaloRecord<Real>>(exec_) };
  Buffer<HaloHead> head_[2]{ Buffer<HaloHead>(exec_), Buffer<HaloHead>(exec_) };
  Buffer<HaloRecord<Real>> inbox_{ exec_ }; // copies, if kernels cannot read the other memory
  Buffer<HaloHead> in_head_{ exec_ };
  Buffer<std::uint32_t> place_there_{ exec_ };
  Buffer<double> values_out_{ exec_ }, values_in_{ exec_ };
};

} // namespace dem
