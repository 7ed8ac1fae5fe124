// One part of a run that has several: owns a box of space, the particles in it, and the exchange
// with the other parts. Each part has its own device or threads, and calls the same functions in the
// same order (Meeting.h). Used by Solver/Engine.cuh and Solver/Rebuild.cuh.
//
// A part has copies (ghosts) of the particles of other parts that its own may meet. Pairs across a
// cut are evaluated on both sides with the same bits, so no forces travel. After each step the
// owners send place, velocity and spin of the ghosts. At a rebuild particles that have crossed a cut
// move to their new owner with their columns and contacts, and ghosts are chosen anew.
#pragma once

#include "Domain/ContactParcels.cuh"
#include "Domain/Meeting.h"
#include "Domain/SubdomainKernels.cuh"
#include "Measure/RunOwners.cuh"
#include "NeighborList/BuildList.cuh"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace dem
{

template <class Exec, class Real>
class Subdomain : private RunOwners<Exec, Real>
{
public:
  using Owners = RunOwners<Exec, Real>;
  template <class T>
  using Buffer = Array<T, Exec>;

  Subdomain(Exec& exec, const Owners& owners, const PartOfRun& part, const Periodic& box)
    : Owners(owners)
    , exec_(exec)
    , meeting_(*part.meeting)
    , own_(part.part)
    , peer_access_(part.peer_access)
  {
    partition_.box = box;
  }

  int parts() const { return meeting_.parts(); }
  bool any(bool value) { return meeting_.any(own_, value); }
  template <class Value>
  Value most(const Value& value)
  {
    return meeting_.most(own_, value);
  }
  /// Particles of the largest part, as of the last rebuild.
  std::uint32_t largest() const { return largest_; }
  /// That number over the mean of all parts.
  double imbalance() const { return imbalance_; }

  /// Divides space by the positions of all particles (m) and returns the indices of the own ones.
  /// Without `divides` the boxes stay.
  std::vector<std::uint32_t> choose(const std::vector<Vec4<double>>& position)
  {
    std::vector<Vec3d> x;
    x.reserve(position.size());
    for (const Vec4<double>& p : position)
      x.push_back(p.xyz());
    divide(std::move(x));
    std::vector<std::uint32_t> mine;
    for (std::size_t i = 0; i < position.size(); ++i)
      if (partition_.part(position[i].xyz()) == own_)
        mine.push_back(static_cast<std::uint32_t>(i));
    ghost_start_.fill(0);
    send_start_.fill(0);
    ghost_place_.resize(0);
    forgetArrivals();
    return mine;
  }

  /// What an exchange did to the order in memory.
  struct Exchanged
  {
    std::uint32_t size; // particles in memory, with those that are marked as gone
    std::uint32_t gone; // of them
    std::uint32_t left; // of them, those that left through borders
    bool changed;       // some were appended or are gone
  };

  /// Moves particles to their new owners, and chooses the ghosts. New particles are appended, and
  /// those that are not needed any more are marked as gone; both are new to the present lists.
  /// `margin`: gap up to which pairs are listed, m. Waits for all parts.
  Exchanged exchange(double margin, bool have_list)
  {
    const std::uint32_t before = particles.size();
    setGhostWords(before);
    if (balance() && have_list)
      divide(sampleOfAll(all_));
    std::uint32_t left = 0;
    const std::uint32_t leaving = findMigrants(left);
    sendMigrants(leaving);
    receiveMigrants();
    const std::uint32_t dropped = chooseGhosts(margin);
    const std::uint32_t n = particles.size();
    if (have_list && n > before)
    {
      pairs.extendOld(n);
      wall_lists.extendOld(n);
    }
    particles.setGhosts(words_, ghostCount());
    return { n, dropped + left, left, n > before || dropped + left > 0 };
  }

  /// Must be called after the particles were reordered. `index`: old place of each particle.
  void reordered(const std::uint32_t* index, std::uint32_t old_n)
  {
    const std::uint32_t n = particles.size(), words = (n + 31) / 32;
    words_.resize(words, 1.1);
    exec_.forEach(words, ReorderGhosts{ particles.ghosts(), index, n, words_.data() });
    new_place_.resize(old_n, 1.1);
    exec_.forEach(n, InvertOrder{ index, new_place_.data() });
    for (Buffer<std::uint32_t>* places : { &send_place_, &ghost_place_, &arrival_place_ })
      exec_.forEach(places->size(), Renumber{ new_place_.data(), places->data() });
    particles.setGhosts(words_, ghostCount());
  }

  /// Gives the contacts of the particles that arrived to the new lists.
  void unpackContacts(PairList<Exec, Real>& list, WallList<Exec, Real>& near_walls)
  {
    std::size_t first = 0;
    ParcelLists<Real> lists = parcelLists(list, near_walls, arrival_place_.data());
    exec_.forEach(arrival_place_.size(), ClearContacts<Real>{ lists });
    for (const Arrived& arrived : arrived_)
    {
      lists.place = arrival_place_.data() + first;
      exec_.forEach(arrived.contacts.pairs + arrived.contacts.walls,
        UnpackContacts<Real>{ lists, arrived.contacts });
      first += arrived.particles;
    }
  }

  /// Sends and receives the ghosts of a step, and ends the batch on all parts if one ends it.
  void queueHalo(StepControl* control, unsigned batch_step)
  {
    const unsigned side = halo_turn_ = 1 - halo_turn_;
    const StateView<Real> state = particles.view();
    exec_.forEach(send_place_.size() + 1,
      PackHalo<Real>{ state, control, batch_step, send_place_.data(), outbox_[side].data(),
        head_[side].data(), static_cast<std::uint32_t>(send_place_.size()) });
    exec_.mark(side);
    meeting_.await();
    for (int p = 0; p < parts(); ++p)
      if (p != own_)
      {
        const HaloPost& post = halo_posts_[p];
        exec_.await(*post.exec, side);
        if (reads_[p])
          continue;
        const std::uint32_t begin = ghost_start_[p], n = ghost_start_[p + 1] - begin;
        exec_.copyFrom(*post.exec, inbox_.data() + begin, post.records[side] + post.starts[own_],
          n * sizeof(HaloRecord<Real>));
        exec_.copyFrom(*post.exec, in_head_.data() + p, post.heads[side], sizeof(HaloHead));
      }
    exec_.forEach(ghost_place_.size() + parts() - 1,
      ReadHalo<Real>{ state, control, batch_step, ghost_place_.data(), sources_[side].data(),
        parts() - 1, static_cast<std::uint32_t>(ghost_place_.size()) });
  }

private:
  using Owners::law;
  using Owners::pairs;
  using Owners::particles;
  using Owners::wall_lists;

  using Starts = std::array<std::uint32_t, kMostParts + 1>;

  // ---- boxes ----

  void divide(std::vector<Vec3d> x)
  {
    partition_ = bisect(std::move(x), parts(), partition_.box);
    boxes_.assign(boxesOf(partition_));
  }

  // Returns whether the largest part has more than kImbalance times the mean.
  bool balance()
  {
    constexpr double kImbalance = 1.05;
    constexpr std::uint32_t kLeast = 64; // particles a part, below which cuts stay
    all_ = 0;
    largest_ = 0;
    for (std::uint32_t n : meeting_.gather(own_, particles.owned()))
    {
      all_ += n;
      largest_ = std::max(largest_, n);
    }
    const double mean = static_cast<double>(all_) / parts();
    imbalance_ = all_ ? largest_ / mean : 1;
    return imbalance_ > kImbalance && mean >= kLeast;
  }

  struct Sample
  {
    static constexpr std::uint32_t kRoom = 4096;
    Vec3d x[kRoom];
  };
  // Positions of every k-th particle of all parts.
  std::vector<Vec3d> sampleOfAll(std::uint64_t all)
  {
    const std::uint64_t every = all / (Sample::kRoom / 2 * parts()) + 1;
    const auto n = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(particles.size() / every, Sample::kRoom));
    Buffer<Vec3d> places(exec_);
    places.resize(Sample::kRoom);
    exec_.forEach(Sample::kRoom,
      SamplePlaces{ particles.position(), words(), static_cast<std::uint32_t>(every), n,
        places.data() });
    Sample mine;
    exec_.toHost(mine.x, places.data(), sizeof mine);
    exec_.synchronize();
    std::vector<Vec3d> x;
    for (const Sample& sample : meeting_.gather(own_, mine))
      std::copy_if(std::begin(sample.x), std::end(sample.x), std::back_inserter(x),
        [](const Vec3d& place) { return !isGone(place.x); });
    return x;
  }

  // ---- migration ----

  // Prepares bits for n particles, with those that are ghosts now.
  void setGhostWords(std::uint32_t n)
  {
    const GhostBits now = particles.ghosts();
    const std::size_t words = (n + 31) / 32;
    words_.resize(words, 1.1);
    if (now)
      exec_.copy(words_.data(), now.words, words * sizeof(std::uint32_t));
    else
      words_.zero();
  }
  void extendGhostWords(std::uint32_t n)
  {
    const std::size_t before = words_.size(), words = (n + 31) / 32;
    words_.extend(words, 1.1);
    if (words > before)
      exec_.zero(words_.data() + before, (words - before) * sizeof(std::uint32_t));
  }
  GhostBits words() { return { words_.data() }; }

  // Fills places with the lists that `find` makes, one behind the other, and sets their starts.
  template <class Find>
  void list(const Find& find, Buffer<std::uint32_t>& places, Starts& starts)
  {
    std::vector<std::uint32_t> counts(parts() + 1);
    for (;;)
    {
      list_counts_.resize(parts() + 1);
      list_counts_.zero();
      lists_.resize(std::size_t(parts()) * list_room_);
      find(PartLists{ lists_.data(), list_counts_.data(), list_room_ }, list_counts_.data() + parts());
      counts = list_counts_.host();
      const std::uint32_t most = *std::max_element(counts.begin(), counts.end() - 1);
      if (most <= list_room_)
        break;
      list_room_ = most + most / 8;
    }
    left_ = counts.back();
    starts.fill(0);
    for (int p = 0; p < parts(); ++p)
      starts[p + 1] = starts[p] + counts[p];
    places.resize(starts[parts()], 1.1);
    JoinLists join{ { lists_.data(), nullptr, list_room_ }, {}, parts(), places.data() };
    std::copy(starts.begin(), starts.end(), join.starts);
    exec_.forEach(places.size(), join);
  }

  // Lists the particles that leave for other parts. Returns their number.
  std::uint32_t findMigrants(std::uint32_t& left)
  {
    list(
      [&](const PartLists& lists, std::uint32_t* left_count) {
        exec_.forEach(particles.size(),
          FindMigrants{
            particles.position(), words(), partition_, own_, lists, left_count });
      },
      leaving_, leaving_start_);
    left = left_;
    return leaving_start_[parts()];
  }

  // Sizes of what one part sends to another.
  struct Load
  {
    std::uint32_t particles, pairs, walls;
  };
  struct MigrationPost
  {
    const Exec* exec;
    const std::uint8_t* bytes[kMostParts];
    Load loads[kMostParts];
  };

  std::size_t bytesOf(const Load& load)
  {
    Parcel parcel(nullptr, load, law.columns());
    particles.visitArrays([&](auto& array) { parcel.column(array, load.particles); });
    return parcel.size();
  }

  // Places of arrays within the bytes that one part sends to another.
  class Parcel
  {
  public:
    Parcel(std::uint8_t* bytes, const Load& load, int columns)
      : bytes_(bytes)
    {
      contacts_.pairs = load.pairs;
      contacts_.walls = load.walls;
      contacts_.pair_id = take<std::int64_t>(load.pairs);
      contacts_.pair_history = take<Real>(std::size_t(load.pairs) * columns);
      contacts_.wall_history = take<Real>(std::size_t(load.walls) * columns);
      contacts_.pair_owner = take<std::uint32_t>(load.pairs);
      contacts_.wall_owner = take<std::uint32_t>(load.walls);
      contacts_.wall_element = take<std::uint32_t>(load.walls);
      contacts_.pair_flags = take<std::uint8_t>(load.pairs);
      contacts_.wall_flags = take<std::uint8_t>(load.walls);
    }
    const ContactParcels<Real>& contacts() const { return contacts_; }
    // The values of n particles.
    template <class T>
    T* column(Array<T, Exec>&, std::uint32_t n)
    {
      return take<T>(n);
    }
    std::size_t size() const { return at_; }

  private:
    template <class T>
    T* take(std::size_t n)
    {
      T* const here = bytes_ ? reinterpret_cast<T*>(bytes_ + at_) : nullptr;
      at_ += (n * sizeof(T) + 31) / 32 * 32;
      return here;
    }
    std::uint8_t* bytes_;
    std::size_t at_ = 0;
    ContactParcels<Real> contacts_{};
  };

  ParcelLists<Real> parcelLists(
    PairList<Exec, Real>& list, WallList<Exec, Real>& near_walls, const std::uint32_t* place)
  {
    return { list.view(), list.slots(), near_walls.view(), near_walls.row_of.data(),
      near_walls.slots(), particles.id(), place, law.columns() };
  }

  // Packs the particles that leave, with their contacts, and shows them to the other parts. They
  // stay here as ghosts until it is known whether they are needed.
  void sendMigrants(std::uint32_t leaving)
  {
    MigrationPost post{};
    post.exec = &exec_;
    while (parcels_.size() < static_cast<std::size_t>(parts()))
      parcels_.emplace_back(exec_);
    if (leaving)
    {
      pair_counts_.resize(leaving);
      wall_counts_.resize(leaving);
      pair_starts_.resize(leaving + 1);
      wall_starts_.resize(leaving + 1);
      exec_.forEach(leaving, SetGhosts{ words_.data(), leaving_.data(), true });
    }
    for (int p = 0; p < parts(); ++p)
    {
      const std::uint32_t n = leaving_start_[p + 1] - leaving_start_[p];
      if (!n)
        continue;
      const std::uint32_t* place = leaving_.data() + leaving_start_[p];
      PackContacts<Real> pack{ parcelLists(pairs.list(), wall_lists.list(), place),
        pair_counts_.data(), wall_counts_.data(), nullptr, nullptr, {} };
      exec_.forEach(n, pack);
      Load& load = post.loads[p] = { n,
        static_cast<std::uint32_t>(scanCounts(exec_, pair_counts_.data(), pair_starts_.data(), n)),
        static_cast<std::uint32_t>(scanCounts(exec_, wall_counts_.data(), wall_starts_.data(), n)) };
      parcels_[p].resize(bytesOf(load), 1.1);
      Parcel parcel(parcels_[p].data(), load, law.columns());
      pack.pair_start = pair_starts_.data();
      pack.wall_start = wall_starts_.data();
      pack.to = parcel.contacts();
      exec_.forEach(n, pack);
      particles.visitArrays([&](auto& array) {
        auto* to = parcel.column(array, n);
        exec_.forEach(
          n, GatherArray<std::decay_t<decltype(*to)>>{ array.data(), place, to });
      });
      post.bytes[p] = parcels_[p].data();
    }
    exec_.synchronize();
    migration_posts_ = meeting_.gather(own_, post);
  }

  struct Arrived
  {
    std::uint32_t particles;
    ContactParcels<Real> contacts;
  };
  void forgetArrivals()
  {
    arrived_.clear();
    arrival_place_.resize(0);
  }

  // Takes the particles that other parts sent. The present ghosts, and those that have just left,
  // are those whose copy may be here already.
  void receiveMigrants()
  {
    forgetArrivals();
    std::uint32_t arrivals = 0;
    std::size_t bytes = 0;
    for (int p = 0; p < parts(); ++p)
    {
      arrivals += migration_posts_[p].loads[own_].particles;
      bytes += migration_posts_[p].bytes[own_] ? bytesOf(migration_posts_[p].loads[own_]) : 0;
    }
    listPresent();
    if (!arrivals)
      return;
    arrived_bytes_.resize(bytes, 1.1);
    arrival_id_.resize(arrivals, 1.1);
    arrival_place_.resize(arrivals, 1.1);
    std::vector<Parcel> parcels;
    std::size_t at = 0;
    std::uint32_t first = 0;
    for (const MigrationPost& post : migration_posts_)
    {
      const Load& load = post.loads[own_];
      if (!load.particles)
        continue;
      const std::size_t size = bytesOf(load);
      exec_.copyFrom(*post.exec, arrived_bytes_.data() + at, post.bytes[own_], size);
      Parcel parcel(arrived_bytes_.data() + at, load, law.columns());
      arrived_.push_back({ load.particles, parcel.contacts() });
      parcels.push_back(parcel);
      Parcel ids = parcel;
      particles.visitArrays([&](auto& array) {
        auto* from = ids.column(array, load.particles);
        if constexpr (std::is_same_v<std::decay_t<decltype(*from)>, std::int64_t>)
          exec_.copy(arrival_id_.data() + first, from, load.particles * sizeof(std::int64_t));
      });
      at += size;
      first += load.particles;
    }
    place(arrival_id_.data(), arrivals, arrival_place_);
    first = 0;
    for (std::size_t k = 0; k < parcels.size(); ++k)
    {
      const std::uint32_t n = arrived_[k].particles;
      particles.visitArrays([&](auto& array) {
        auto* from = parcels[k].column(array, n);
        exec_.forEach(n,
          ScatterArray<std::decay_t<decltype(*from)>>{
            from, arrival_place_.data() + first, array.data() });
      });
      first += n;
    }
    exec_.forEach(arrivals, SetGhosts{ words_.data(), arrival_place_.data(), false });
  }

  // Sorts the places of the ghosts by Id, and of the particles that have just left.
  void listPresent()
  {
    const std::size_t ghosts = ghost_place_.size(), n = ghosts + leaving_.size();
    present_place_.resize(n, 1.1);
    present_key_.resize(n, 1.1);
    key_other_.resize(n, 1.1);
    place_other_.resize(n, 1.1);
    found_.resize(n, 1.1);
    found_.zero();
    exec_.copy(present_place_.data(), ghost_place_.data(), ghosts * sizeof(std::uint32_t));
    exec_.copy(
      present_place_.data() + ghosts, leaving_.data(), leaving_.size() * sizeof(std::uint32_t));
    exec_.forEach(n, KeysOfPlaces{ particles.id(), present_place_.data(), present_key_.data() });
    sortPairs(exec_, present_key_.data(), key_other_.data(), present_place_.data(),
      place_other_.data(), n, 63);
  }

  // Finds the places of n arriving Ids, or makes room for them behind the present particles.
  void place(const std::int64_t* id, std::uint32_t n, Buffer<std::uint32_t>& places)
  {
    is_new_.resize(n, 1.1);
    before_.resize(std::size_t(n) + 1, 1.1);
    exec_.forEach(n,
      FindArrivals{ id, present_key_.data(), present_place_.data(),
        static_cast<std::uint32_t>(present_place_.size()), places.data(), is_new_.data(),
        found_.data() });
    const auto more =
      static_cast<std::uint32_t>(scanCounts(exec_, is_new_.data(), before_.data(), n));
    exec_.forEach(n, PlaceArrivals{ before_.data(), particles.size(), places.data() });
    particles.extend(particles.size() + more);
    extendGhostWords(particles.size());
  }

  // ---- ghosts ----

  struct GhostPost
  {
    const Exec* exec;
    const GhostRecord<Real>* ghosts;
    Starts starts;
  };
  struct HaloPost
  {
    const Exec* exec;
    const HaloRecord<Real>* records[2];
    const HaloHead* heads[2];
    Starts starts;
  };

  // Chooses the own particles that others need, and takes those that are needed here. Returns the
  // number of ghosts that are not needed any more.
  std::uint32_t chooseGhosts(double margin)
  {
    list(
      [&](const PartLists& lists, std::uint32_t*) {
        exec_.forEach(particles.size(),
          FindHalo{ particles.position(), words(), boxes_.data(), partition_.box, parts(), own_,
            margin + particles.radiusMax(), lists });
      },
      send_place_, send_start_);
    ghosts_out_.resize(send_place_.size(), 1.1);
    exec_.forEach(
      send_place_.size(), WriteGhosts<Real>{ particles.view(), send_place_.data(), ghosts_out_.data() });
    exec_.synchronize();
    const std::vector<GhostPost> posts =
      meeting_.gather(own_, GhostPost{ &exec_, ghosts_out_.data(), send_start_ });

    ghost_start_.fill(0);
    for (int p = 0; p < parts(); ++p)
      ghost_start_[p + 1] = ghost_start_[p] + posts[p].starts[own_ + 1] - posts[p].starts[own_];
    const std::uint32_t n = ghost_start_[parts()];
    ghosts_in_.resize(n, 1.1);
    for (int p = 0; p < parts(); ++p)
      exec_.copyFrom(*posts[p].exec, ghosts_in_.data() + ghost_start_[p],
        posts[p].ghosts + posts[p].starts[own_],
        (ghost_start_[p + 1] - ghost_start_[p]) * sizeof(GhostRecord<Real>));
    arrival_id_.resize(n, 1.1);
    exec_.forEach(n,
      IdsOfGhosts{ ghosts_in_.data(), sizeof(GhostRecord<Real>), offsetof(GhostRecord<Real>, id),
        arrival_id_.data() });
    ghost_place_.resize(n, 1.1);
    const std::uint32_t before = particles.size();
    place(arrival_id_.data(), n, ghost_place_);
    clearRates(before);
    exec_.forEach(n,
      ReadGhosts<Real>{ particles.view(), ghost_place_.data(), ghosts_in_.data(), before });
    exec_.forEach(n, SetGhosts{ words_.data(), ghost_place_.data(), true });
    const std::uint32_t dropped = dropUnfound();
    postHalo();
    return dropped;
  }

  // The vectors of the integrator of new ghosts.
  void clearRates(std::uint32_t first)
  {
    for (std::size_t k = 0; k < particles.rates(); ++k)
      exec_.zero(particles.rate(static_cast<int>(k)) + first,
        (particles.size() - first) * sizeof(Vec4<Real>));
  }

  std::uint32_t dropUnfound()
  {
    list_counts_.zero();
    exec_.forEach(present_place_.size(),
      DropUnfound<Real>{
        particles.view(), present_place_.data(), found_.data(), list_counts_.data() });
    return list_counts_.host()[0];
  }

  // Makes room for the halo of the steps to come, and tells the other parts where it is.
  void postHalo()
  {
    HaloPost post{ &exec_, {}, {}, send_start_ };
    for (int side = 0; side < 2; ++side)
    {
      outbox_[side].resize(send_place_.size(), 1.1);
      head_[side].resize(1);
      post.records[side] = outbox_[side].data();
      post.heads[side] = head_[side].data();
    }
    halo_posts_ = meeting_.gather(own_, post);
    inbox_.resize(ghost_place_.size(), 1.1);
    in_head_.resize(parts());
    if (reads_.empty())
      for (const HaloPost& other : halo_posts_)
        reads_.push_back(peer_access_ && exec_.reads(*other.exec));
    for (int side = 0; side < 2; ++side)
    {
      std::vector<typename ReadHalo<Real>::Source> sources;
      for (int p = 0; p < parts(); ++p)
        if (p != own_ && reads_[p])
          sources.push_back({ halo_posts_[p].records[side] + halo_posts_[p].starts[own_],
            halo_posts_[p].heads[side], ghost_start_[p] });
        else if (p != own_)
          sources.push_back(
            { inbox_.data() + ghost_start_[p], in_head_.data() + p, ghost_start_[p] });
      sources_[side].assign(sources);
    }
  }

  std::uint32_t ghostCount() const { return ghost_start_[parts()]; }

  Exec& exec_;
  Meeting& meeting_;
  const int own_;
  const bool peer_access_;
  Partition partition_;
  Buffer<PartBox> boxes_{ exec_ };
  std::uint64_t all_ = 0; // particles of all parts
  std::uint32_t largest_ = 0;
  double imbalance_ = 1;
  std::vector<bool> reads_; // whether kernels can read the memory of each part

  // lists of particles for the other parts, one behind the other, and their starts
  Buffer<std::uint32_t> lists_{ exec_ }, list_counts_{ exec_ };
  std::uint32_t list_room_ = 1024, left_ = 0;
  Buffer<std::uint32_t> leaving_{ exec_ }, send_place_{ exec_ };
  Starts leaving_start_{}, send_start_{};

  // what leaves and arrives at a rebuild
  std::vector<Buffer<std::uint8_t>> parcels_; // for each part
  Buffer<std::uint32_t> pair_counts_{ exec_ }, wall_counts_{ exec_ }, pair_starts_{ exec_ },
    wall_starts_{ exec_ };
  std::vector<MigrationPost> migration_posts_;
  Buffer<std::uint8_t> arrived_bytes_{ exec_ };
  Buffer<std::int64_t> arrival_id_{ exec_ };
  Buffer<std::uint32_t> arrival_place_{ exec_ };
  std::vector<Arrived> arrived_; // by part, in the order of arrival_place_

  // copies of particles that are here when others arrive, in ascending Id
  Buffer<std::uint32_t> present_place_{ exec_ }, place_other_{ exec_ }, found_{ exec_ },
    is_new_{ exec_ }, before_{ exec_ };
  Buffer<std::uint64_t> present_key_{ exec_ }, key_other_{ exec_ };

  // ghosts here, by part
  Buffer<std::uint32_t> words_{ exec_ }, new_place_{ exec_ }, ghost_place_{ exec_ };
  Starts ghost_start_{};
  Buffer<GhostRecord<Real>> ghosts_out_{ exec_ }, ghosts_in_{ exec_ };

  // the halo of a step; two sides alternate
  Buffer<HaloRecord<Real>> outbox_[2]{ Buffer<HaloRecord<Real>>(exec_),
    Buffer<HaloRecord<Real>>(exec_) };
  Buffer<HaloHead> head_[2]{ Buffer<HaloHead>(exec_), Buffer<HaloHead>(exec_) };
  Buffer<HaloRecord<Real>> inbox_{ exec_ };
  Buffer<HaloHead> in_head_{ exec_ };
  Buffer<typename ReadHalo<Real>::Source> sources_[2]{
    Buffer<typename ReadHalo<Real>::Source>(exec_),
    Buffer<typename ReadHalo<Real>::Source>(exec_) };
  std::vector<HaloPost> halo_posts_;
  unsigned halo_turn_ = 0;
};

} // namespace dem
