// One part of a run that has several: owns a box of space, the particles in it, and the exchange
// with the other parts. Each part has its own device or threads, and calls the same functions in
// the same order (PartLink.h). Used by Solver/Engine.cuh and Solver/Rebuild.cuh.
//
// A part has copies (ghosts) of the particles of other parts that its own may meet. Pairs across a
// cut are evaluated on both sides with the same bits, so no forces travel. After each step the
// parts read place, velocity and spin of their ghosts (Halo.cuh). At a rebuild particles that have
// crossed a cut move to their new owner with their columns and contacts, and ghosts are chosen
// anew. All particles of a body belong to the part whose box has the first of them, and the state
// of the body moves with them.
#pragma once

#include "Domain/ContactParcels.cuh"
#include "Domain/Halo.cuh"
#include "Domain/Mailbox.cuh"
#include "Domain/PartLink.h"
#include "Domain/SubdomainKernels.cuh"
#include "Measure/RunOwners.cuh"
#include "NeighborList/BuildList.cuh"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
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
    , link_(*part.link)
    , own_(part.part)
    , mail_(exec, *part.link, part.part)
    , halo_(exec, owners.particles, owners.bodies, part)
  {
    partition_.box = box;
  }

  int parts() const { return link_.parts(); }
  int own() const { return own_; }
  bool any(bool value) { return link_.any(own_, value); }
  void sum(std::vector<long long>& values) { link_.sum(own_, values); }
  template <class Value>
  std::vector<Value> gather(const Value& value)
  {
    return link_.gather(own_, value);
  }
  template <class Value>
  Value most(const Value& value)
  {
    return link_.most(own_, value);
  }
  template <class Value>
  Value least(const Value& value)
  {
    return link_.least(own_, value);
  }
  /// Particles of the largest part, as of the last rebuild.
  std::uint32_t largest() const { return largest_; }
  /// That number over the mean of all parts.
  double imbalance() const { return imbalance_; }
  Halo<Exec, Real>& halo() { return halo_; }

  /// Divides space by the positions of all particles (m) and returns the indices of the own ones.
  /// `id`: their Ids; parts of a body follow each other.
  std::vector<std::uint32_t> choose(
    const std::vector<Vec4<double>>& position, const std::vector<std::int64_t>& id)
  {
    std::vector<Vec3d> x;
    x.reserve(position.size());
    for (const Vec4<double>& p : position)
      x.push_back(p.xyz());
    divide(std::move(x));
    std::vector<std::uint32_t> mine;
    std::size_t first = 0; // part of the body of particle i
    for (std::size_t i = 0; i < position.size(); ++i)
    {
      if (!bodies.areOfOne(id[first], id[i]))
        first = i;
      if (partition_.part(position[first].xyz()) == own_)
        mine.push_back(static_cast<std::uint32_t>(i));
    }
    halo_.clear();
    mail_.clear();
    arrival_place_.resize(0);
    sources_ = 0;
    return mine;
  }

  /// What an exchange did to the order in memory.
  struct Exchanged
  {
    std::uint32_t gone; // particles that are marked as gone
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
      divide(sampleOfAll());
    findMoves(margin);
    sendMigrants();
    const std::uint32_t arrivals = receiveMigrants();
    listHalo(margin, arrivals);
    const std::uint32_t ghosts = receiveGhosts(before, arrivals);
    const std::uint32_t n = before + newOnes(arrivals, ghosts);
    const std::uint32_t dropped =
      static_cast<std::uint32_t>(present_place_.size()) - (arrivals + ghosts - (n - before));
    particles.extend(n);
    if (have_list && n > before)
    {
      pairs.extendOld(n);
      wall_lists.extendOld(n);
    }
    particles.setGhosts(words_, halo_.ghosts());
    return { dropped + counts_.left, counts_.left, n > before || dropped + counts_.left > 0 };
  }

  /// Must be called after an exchange. If the particles were reordered, `index` has the old place
  /// of each, of `old_n` old ones; else it is null. Waits for all parts.
  void exchanged(const std::uint32_t* index, std::uint32_t old_n)
  {
    if (index)
    {
      const std::uint32_t n = particles.size(), words = (n + 31) / 32;
      words_.resize(words, 1.1);
      exec_.forEach(words, ReorderGhosts{ particles.ghosts(), index, n, words_.data() });
      new_place_.resize(old_n, 1.1);
      exec_.forEach(n, InvertOrder{ index, new_place_.data() });
      for (Buffer<std::uint32_t>* places :
        { &halo_.send_place, &halo_.ghost_place, &arrival_place_ })
        exec_.forEach(places->size(), Renumber{ new_place_.data(), places->data() });
      particles.setGhosts(words_, halo_.ghosts());
    }
    halo_.share();
  }

  /// Gives the contacts of the particles that arrived to the new lists.
  void unpackContacts(PairList<Exec, Real>& list, WallList<Exec, Real>& near_walls)
  {
    const ParcelLists<Real> lists = parcelLists(list, near_walls, arrival_place_.data());
    exec_.forEach(arrival_place_.size(), ClearContacts<Real>{ lists, law.columns() });
    UnpackContacts<Real> unpack{ lists, { contacts_in_.data(), law.columns() }, {}, {}, sources_ };
    std::copy_n(source_contacts_.begin(), sources_, unpack.contacts);
    std::copy_n(source_arrivals_.begin(), sources_, unpack.arrivals);
    exec_.forEach(sources_ ? contacts_arrived_ : 0, unpack);
  }

  /// Must be called before frames are made: prepares the contacts with bodies of ghosts. Waits for
  /// all parts.
  void prepareFrame()
  {
    if (bodies.inUse() && bodies.shapes().clumps)
      halo_.copyTurns();
  }

private:
  using Owners::bodies;
  using Owners::law;
  using Owners::pairs;
  using Owners::particles;
  using Owners::wall_lists;

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
    std::uint64_t all = 0;
    largest_ = 0;
    for (std::uint32_t n : link_.gather(own_, particles.owned()))
    {
      all += n;
      largest_ = std::max(largest_, n);
    }
    const double mean = static_cast<double>(all) / parts();
    imbalance_ = all ? largest_ / mean : 1;
    return imbalance_ > kImbalance && mean >= kLeast;
  }

  struct Sample
  {
    static constexpr std::uint32_t kRoom = 4096;
    Vec3d x[kRoom];
  };
  // Positions of every k-th particle of all parts.
  std::vector<Vec3d> sampleOfAll()
  {
    const std::uint32_t every = most(particles.size()) / Sample::kRoom + 1;
    const std::uint32_t n = particles.size() / every;
    Buffer<Vec3d> places(exec_);
    places.resize(Sample::kRoom);
    exec_.forEach(
      Sample::kRoom, SamplePlaces{ particles.position(), words(), every, n, places.data() });
    Sample mine;
    exec_.toHost(mine.x, places.data(), sizeof mine);
    exec_.synchronize();
    std::vector<Vec3d> x;
    for (const Sample& sample : link_.gather(own_, mine))
      std::copy_if(std::begin(sample.x), std::end(sample.x), std::back_inserter(x),
        [](const Vec3d& place) { return !isGone(place.x); });
    return x;
  }

  // ---- bits of ghosts, while particles move ----

  GhostBits words() { return { words_.data() }; }

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

  // Makes room for n particles; the new ones are no ghosts.
  void makeRoom(std::uint32_t n)
  {
    particles.extend(n);
    const std::size_t before = words_.size(), words = (n + 31) / 32;
    words_.extend(words, 1.1);
    if (words > before)
      exec_.zero(words_.data() + before, (words - before) * sizeof(std::uint32_t));
  }

  // ---- own particles that others get ----

  HaloTest nearTest(double margin)
  {
    constexpr double kRounded = 1 + 1e-6; // the places of particles are
    return { boxes_.data(), partition_.box,
      margin + particles.radiusMax() + kRounded * bodies.spread() };
  }

  OwningPlace owningPlace()
  {
    if (!bodies.inUse() || !bodies.shapes().clumps)
      return { nullptr, nullptr, nullptr, nullptr };
    const BodyView view = bodies.view();
    return { particles.id(), view.body, view.first_part, view.place };
  }
  BodyWords bodyWords() { return { bodies.view(), bodies.inUse() }; }

  // Lists the particles that leave, and those that stay and are ghosts elsewhere. Waits.
  void findMoves(double margin)
  {
    move_counts_.resize(1);
    for (;;)
    {
      move_counts_.zero();
      leaving_lists_.resize(std::size_t(parts()) * room_);
      halo_lists_.resize(std::size_t(parts()) * room_);
      exec_.forEach(particles.size(),
        FindMoves{ particles.position(), owningPlace(), words(), partition_, own_, nearTest(margin),
          move_counts_.data(), leaving_lists_.data(), halo_lists_.data(), room_ });
      exec_.toHost(&counts_, move_counts_.data(), sizeof counts_);
      exec_.synchronize();
      const std::uint32_t most =
        std::max(*std::max_element(counts_.leaving, counts_.leaving + parts()),
          *std::max_element(counts_.halo, counts_.halo + parts()));
      if (most <= room_)
        break;
      room_ = most + most / 8;
    }
    JoinLists join = joined(leaving_lists_, counts_.leaving, leaving_start_);
    leaving_.resize(leaving_start_[parts()], 1.1);
    std::copy_n(leaving_start_.begin(), parts(), join.to);
    join.places = leaving_.data();
    exec_.forEach(leaving_.size(), join);
  }

  JoinLists joined(Buffer<std::uint32_t>& lists, const std::uint32_t* counts, PartStarts& starts)
  {
    JoinLists join{ lists.data(), room_, parts(), {}, {}, nullptr };
    starts.fill(0);
    for (int p = 0; p < parts(); ++p)
      join.before[p + 1] = starts[p + 1] = starts[p] + counts[p];
    return join;
  }

  ParcelLists<Real> parcelLists(
    PairList<Exec, Real>& list, WallList<Exec, Real>& near_walls, const std::uint32_t* place)
  {
    return { list.view(), list.slots(), near_walls.view(), near_walls.row_of.data(),
      near_walls.slots(), particles.id(), place };
  }

  ColumnWords columnWords()
  {
    ColumnWords words{};
    particles.visitArrays([&](auto& array) {
      if (reinterpret_cast<const void*>(array.data()) ==
        reinterpret_cast<const void*>(particles.id()))
        words.id = words.record;
      words.add(array.data());
    });
    words.record += bodyWords().words();
    return words;
  }

  // What a part shows the others of the particles that leave it.
  struct MigrationPost
  {
    const Exec* exec;
    const std::uint64_t* records; // those for part p begin at starts[p]
    PartStarts starts;
    const std::uint8_t* contacts; // those for part p begin at p * room
    std::uint32_t room;
    std::uint32_t contact_counts[kMostParts];
    std::uint32_t halo[kMostParts][kMostParts]; // MoveCounts::halo_of_leaving
  };

  // Packs the particles that leave, with their contacts, and shows them to the other parts. They
  // stay here as ghosts until it is known whether they are needed.
  void sendMigrants()
  {
    const auto leaving = static_cast<std::uint32_t>(leaving_.size());
    MigrationPost post{ &exec_, nullptr, leaving_start_, nullptr, 0, {}, {} };
    std::copy_n(&counts_.halo_of_leaving[0][0], kMostParts * kMostParts, &post.halo[0][0]);
    if (leaving)
    {
      exec_.forEach(leaving, SetGhosts{ words_.data(), leaving_.data(), true });
      const ColumnWords columns = columnWords();
      records_out_.resize(std::size_t(leaving) * columns.record, 1.1);
      exec_.forEach(
        leaving, PackColumns{ columns, bodyWords(), leaving_.data(), records_out_.data() });
      if (bodies.inUse())
        exec_.forEach(leaving, LeaveBodies{ bodies.view(), particles.id(), leaving_.data() });
      packContacts(post);
      post.records = records_out_.data();
      for (int p = 0; p < parts(); ++p)
      {
        mail_.put(p, post.records + std::size_t(leaving_start_[p]) * columns.record,
          (leaving_start_[p + 1] - leaving_start_[p]) * columns.record * sizeof(std::uint64_t));
        const std::size_t contact = ContactRecords<Real>::strideOf(law.columns());
        mail_.put(p, post.contacts + std::size_t(p) * post.room * contact,
          post.contact_counts[p] * contact);
      }
    }
    exec_.mark(0);
    migration_posts_ = link_.gather(own_, post);
    mail_.deliver();
  }

  void packContacts(MigrationPost& post)
  {
    contact_counts_.resize(parts());
    for (;;)
    {
      contact_counts_.zero();
      contacts_out_.resize(
        std::size_t(parts()) * contact_room_ * ContactRecords<Real>::strideOf(law.columns()));
      PackContacts<Real> pack{ parcelLists(pairs.list(), wall_lists.list(), leaving_.data()), {},
        { contacts_out_.data(), law.columns() }, contact_room_, contact_counts_.data() };
      std::copy(leaving_start_.begin(), leaving_start_.end(), pack.starts);
      exec_.forEach(leaving_.size(), pack);
      exec_.toHost(post.contact_counts, contact_counts_.data(), parts() * sizeof(std::uint32_t));
      exec_.synchronize();
      const std::uint32_t most =
        *std::max_element(post.contact_counts, post.contact_counts + parts());
      if (most <= contact_room_)
        break;
      contact_room_ = most + most / 8;
    }
    post.contacts = contacts_out_.data();
    post.room = contact_room_;
  }

  // ---- particles of others that come here ----

  // Takes the particles that other parts sent. Returns their number.
  std::uint32_t receiveMigrants()
  {
    std::uint32_t arrivals = 0;
    contacts_arrived_ = 0;
    sources_ = 0;
    for (const MigrationPost& post : migration_posts_)
    {
      const std::uint32_t n = post.starts[own_ + 1] - post.starts[own_];
      if (!n)
        continue;
      source_arrivals_[sources_] = arrivals;
      source_contacts_[sources_] = contacts_arrived_;
      ++sources_;
      arrivals += n;
      contacts_arrived_ += post.contact_counts[own_];
    }
    arrival_place_.resize(arrivals, 1.1);
    listPresent();
    if (!arrivals)
      return 0;
    const std::uint32_t before = particles.size();
    makeRoom(before + arrivals);
    const ColumnWords columns = columnWords();
    const std::size_t record = columns.record * sizeof(std::uint64_t),
                      contact = ContactRecords<Real>::strideOf(law.columns());
    records_in_.resize(std::size_t(arrivals) * columns.record, 1.1);
    contacts_in_.resize(contacts_arrived_ * contact, 1.1);
    int s = 0;
    for (int p = 0; p < parts(); ++p)
    {
      const MigrationPost& post = migration_posts_[p];
      const std::uint32_t n = post.starts[own_ + 1] - post.starts[own_];
      if (!n)
        continue;
      mail_.fetch(p, records_in_.data() + std::size_t(source_arrivals_[s]) * columns.record,
        post.exec, 0, post.records + std::size_t(post.starts[own_]) * columns.record, n * record);
      mail_.fetch(p, contacts_in_.data() + source_contacts_[s] * contact, post.exec, 0,
        post.contacts + std::size_t(own_) * post.room * contact,
        post.contact_counts[own_] * contact);
      ++s;
    }
    place(arrivals_, reinterpret_cast<const std::int64_t*>(records_in_.data() + columns.id),
      columns.record, arrivals, before, nullptr, arrival_place_);
    exec_.forEach(
      arrivals, UnpackColumns{ columns, bodyWords(), arrival_place_.data(), records_in_.data() });
    exec_.forEach(arrivals, SetGhosts{ words_.data(), arrival_place_.data(), false });
    return arrivals;
  }

  // Sorts the places of the ghosts by Id, and of the particles that have just left: copies of what
  // comes may be here already.
  void listPresent()
  {
    const std::size_t ghosts = halo_.ghost_place.size(), n = ghosts + leaving_.size();
    present_place_.resize(n, 1.1);
    present_key_.resize(n, 1.1);
    key_other_.resize(n, 1.1);
    place_other_.resize(n, 1.1);
    found_.resize(n, 1.1);
    found_.zero();
    exec_.copy(present_place_.data(), halo_.ghost_place.data(), ghosts * sizeof(std::uint32_t));
    exec_.copy(
      present_place_.data() + ghosts, leaving_.data(), leaving_.size() * sizeof(std::uint32_t));
    exec_.forEach(n, KeysOfPlaces{ particles.id(), present_place_.data(), present_key_.data() });
    sortPairs(exec_, present_key_.data(), key_other_.data(), present_place_.data(),
      place_other_.data(), n, particles.idBits());
  }

  // Which of the particles that come are new here.
  struct Coming
  {
    explicit Coming(Exec& exec)
      : is_new(exec)
      , before(exec)
    {
    }
    Buffer<std::uint32_t> is_new, before; // 1 or 0; new ones before each, and all
  };

  // Finds the places of n Ids that come, or gives them places from `first` on, behind `earlier`
  // ones in device memory.
  void place(Coming& coming, const std::int64_t* id, std::uint32_t stride, std::uint32_t n,
    std::uint32_t first, const std::uint32_t* earlier, Buffer<std::uint32_t>& places)
  {
    coming.is_new.resize(n, 1.1);
    coming.before.resize(std::size_t(n) + 1, 1.1);
    exec_.forEach(n,
      FindArrivals{ id, stride, present_key_.data(), present_place_.data(),
        static_cast<std::uint32_t>(present_place_.size()), places.data(), coming.is_new.data(),
        found_.data() });
    queueScan(exec_, coming.is_new.data(), coming.before.data(), n);
    exec_.forEach(n, PlaceArrivals{ coming.before.data(), first, earlier, places.data() });
  }

  // Number of new particles among those that came. Waits.
  std::uint32_t newOnes(std::uint32_t arrivals, std::uint32_t ghosts)
  {
    std::uint32_t of_arrivals = 0, of_ghosts = 0;
    if (arrivals)
      exec_.toHost(&of_arrivals, arrivals_.before.data() + arrivals, sizeof of_arrivals);
    if (ghosts)
      exec_.toHost(&of_ghosts, ghosts_.before.data() + ghosts, sizeof of_ghosts);
    exec_.synchronize();
    return of_arrivals + of_ghosts;
  }

  // Lists the own particles that each other part needs as ghosts: those that stayed, then those
  // that have arrived.
  void listHalo(double margin, std::uint32_t arrivals)
  {
    PartStarts stayed;
    JoinLists join = joined(halo_lists_, counts_.halo, stayed);
    AddArrivals add{ particles.position(), arrival_place_.data(), nearTest(margin), parts(), own_,
      {}, nullptr, nullptr };
    halo_.send_start.fill(0);
    for (int p = 0; p < parts(); ++p)
    {
      join.to[p] = halo_.send_start[p];
      add.starts[p] = halo_.send_start[p] + counts_.halo[p];
      halo_.send_start[p + 1] = add.starts[p];
      for (const MigrationPost& post : migration_posts_)
        halo_.send_start[p + 1] += post.halo[own_][p];
    }
    halo_.send_place.resize(halo_.send_start[parts()], 1.1);
    join.places = add.to = halo_.send_place.data();
    exec_.forEach(stayed[parts()], join);
    if (!arrivals)
      return;
    contact_counts_.resize(parts());
    contact_counts_.zero();
    add.added = contact_counts_.data();
    exec_.forEach(arrivals, add);
  }

  struct GhostPost
  {
    const Exec* exec;
    const void* ghosts;
    PartStarts starts;
  };

  // Sends the ghosts that others need, and takes those that are needed here. Returns their number.
  std::uint32_t receiveGhosts(std::uint32_t before, std::uint32_t arrivals)
  {
    return halo_.withRecord(
      [&](auto record) { return receiveGhosts<decltype(record)>(before, arrivals); });
  }
  template <class OfStep>
  std::uint32_t receiveGhosts(std::uint32_t before, std::uint32_t arrivals)
  {
    using Record = GhostRecord<Real, OfStep>;
    constexpr std::size_t kWords = sizeof(Record) / sizeof(std::uint64_t);
    static_assert(sizeof(Record) % 8 == 0 && offsetof(Record, id) % 8 == 0, "read as words");
    const std::size_t sent = halo_.send_place.size();
    ghosts_out_.resize(sent * kWords, 1.1);
    auto* const to = reinterpret_cast<Record*>(ghosts_out_.data());
    exec_.forEach(sent,
      WriteGhosts<Real, OfStep>{
        halo_.state(nullptr), particles.id(), halo_.send_place.data(), to });
    exec_.mark(1);
    const PartStarts& out = halo_.send_start;
    for (int p = 0; p < parts(); ++p)
      mail_.put(p, to + out[p], (out[p + 1] - out[p]) * sizeof(Record));
    const std::vector<GhostPost> posts = link_.gather(own_, GhostPost{ &exec_, to, out });
    mail_.deliver();
    PartStarts& starts = halo_.ghost_start;
    starts.fill(0);
    for (int p = 0; p < parts(); ++p)
      starts[p + 1] = starts[p] + posts[p].starts[own_ + 1] - posts[p].starts[own_];
    const std::uint32_t n = starts[parts()];
    ghosts_in_.resize(n * kWords, 1.1);
    auto* const from = reinterpret_cast<Record*>(ghosts_in_.data());
    for (int p = 0; p < parts(); ++p)
      mail_.fetch(p, from + starts[p], posts[p].exec, 1,
        static_cast<const Record*>(posts[p].ghosts) + posts[p].starts[own_],
        (starts[p + 1] - starts[p]) * sizeof(Record));
    makeRoom(particles.size() + n);
    halo_.ghost_place.resize(n, 1.1);
    place(ghosts_,
      n ? reinterpret_cast<const std::int64_t*>(from) + offsetof(Record, id) / sizeof(std::int64_t)
        : nullptr,
      kWords, n, before, arrivals ? arrivals_.before.data() + arrivals : nullptr,
      halo_.ghost_place);
    ReadGhosts<Real, OfStep> read{ halo_.state(nullptr), particles.view(), particles.traveled(), {},
      static_cast<int>(particles.rates()), halo_.ghost_place.data(), from, ghosts_.is_new.data() };
    for (int k = 0; k < read.rate_count; ++k)
      read.rates[k] = particles.rate(k);
    exec_.forEach(n, read);
    exec_.forEach(n, SetGhosts{ words_.data(), halo_.ghost_place.data(), true });
    exec_.forEach(present_place_.size(),
      DropUnfound<Real>{ particles.view(), present_place_.data(), found_.data() });
    return n;
  }

  Exec& exec_;
  PartLink& link_;
  const int own_;
  Mailbox<Exec> mail_;
  Halo<Exec, Real> halo_;
  Partition partition_;
  Buffer<PartBox> boxes_{ exec_ };
  std::uint32_t largest_ = 0;
  double imbalance_ = 1;

  // own particles that others get
  MoveCounts counts_{};
  Buffer<MoveCounts> move_counts_{ exec_ };
  std::uint32_t room_ = 1024, contact_room_ = 1024; // of a list for one part
  Buffer<std::uint32_t> leaving_lists_{ exec_ }, halo_lists_{ exec_ }, leaving_{ exec_ },
    contact_counts_{ exec_ };
  PartStarts leaving_start_{};
  Buffer<std::uint64_t> records_out_{ exec_ };
  Buffer<std::uint8_t> contacts_out_{ exec_ };
  Buffer<std::uint64_t> ghosts_out_{ exec_ };
  std::vector<MigrationPost> migration_posts_;

  // particles of others that come here; arrivals lie by source
  Buffer<std::uint64_t> records_in_{ exec_ };
  Buffer<std::uint8_t> contacts_in_{ exec_ };
  Buffer<std::uint64_t> ghosts_in_{ exec_ };
  Buffer<std::uint32_t> arrival_place_{ exec_ };
  std::uint32_t contacts_arrived_ = 0;
  int sources_ = 0;
  std::array<std::uint32_t, kMostParts> source_arrivals_{}, source_contacts_{};
  Coming arrivals_{ exec_ }, ghosts_{ exec_ };

  // copies of particles that are here when others come, in ascending Id
  Buffer<std::uint32_t> present_place_{ exec_ }, place_other_{ exec_ }, found_{ exec_ };
  Buffer<std::uint64_t> present_key_{ exec_ }, key_other_{ exec_ };

  Buffer<std::uint32_t> words_{ exec_ }, new_place_{ exec_ };
};

} // namespace dem
