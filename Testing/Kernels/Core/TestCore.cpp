// Core: vectors and rotations against Eigen, host arrays, devices, library algorithms.
#include "TestSupport.h"

#include "Core/Algorithms.h"
#include "Core/CpuExec.h"
#include "Core/HostArray.h"
#include "Core/Vec.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <numeric>
#include <set>
#include <thread>

using namespace test;

namespace
{

Eigen::Vector3d eigen(const Vec3d& a) { return { a.x, a.y, a.z }; }

} // namespace

TEST(Core, RotationsAgreeWithEigen)
{
  Uniform uniform(1);
  for (double size : { 0.0, 1e-12, 1e-6, 1e-3, 0.0019, 0.0021, 0.1, 1.0, 3.1415926, 10.0, 1000.0 })
  {
    for (int k = 0; k < 20; ++k)
    {
      const Vec3d axis = normalized(Vec3d{ uniform(-1, 1), uniform(-1, 1), uniform(0.1, 1) });
      const Vec3d v{ uniform(-1, 1), uniform(-1, 1), uniform(-1, 1) };
      const dem::Quaternion<double> q = dem::rotationVectorToQuaternion(size * axis);
      const double eps = 1e-15 + 3e-16 * size; // an angle of 1000 is itself known to 1e-13
      const Eigen::Quaterniond e(Eigen::AngleAxisd(size, eigen(axis)));
      EXPECT_NEAR(q.w, e.w(), eps);
      EXPECT_NEAR(q.x, e.x(), eps);
      EXPECT_NEAR(q.y, e.y(), eps);
      EXPECT_NEAR(q.z, e.z(), eps);
      EXPECT_LT((eigen(dem::rotate(q, v)) - e * eigen(v)).norm(), 10 * eps);
      EXPECT_LT(length(dem::rotate(dem::conjugate(q), dem::rotate(q, v)) - v), 1e-14);
      const dem::Quaternion<double> r = dem::rotationVectorToQuaternion(v);
      const Eigen::Quaterniond product =
        e * Eigen::Quaterniond(Eigen::AngleAxisd(length(v), eigen(normalized(v))));
      EXPECT_NEAR((q * r).w, product.w(), 10 * eps);
      EXPECT_NEAR((q * r).z, product.z(), 10 * eps);
    }
  }
}

TEST(Core, VectorsAgreeWithEigen)
{
  const Vec3d a{ 1, -2, 3 }, b{ 0.5, 4, -1 };
  EXPECT_EQ(dot(a, b), eigen(a).dot(eigen(b)));
  EXPECT_EQ(eigen(cross(a, b)), eigen(a).cross(eigen(b)));
  EXPECT_NEAR(length(a), eigen(a).norm(), 1e-15);
  EXPECT_EQ(a[0] + a[1] + a[2], 2);
}

TEST(Core, DeviceNames)
{
  EXPECT_EQ(dem::deviceKindFromName("Auto"), dem::DeviceKind::Auto);
  EXPECT_EQ(dem::deviceKindFromName("CPU"), dem::DeviceKind::CPU);
  EXPECT_EQ(dem::deviceKindFromName("CUDA"), dem::DeviceKind::CUDA);
  const std::string message = errorOf([] { dem::deviceKindFromName("Vulkan"); });
  for (const char* word : { "Vulkan", "Auto", "CPU", "CUDA" })
  {
    EXPECT_MENTIONS(message, word);
  }
}

TEST(Core, DevicesAreChosenAndNamed)
{
  const dem::Device one = dem::chooseDevice(dem::DeviceKind::CPU, 1);
  EXPECT_EQ(one.kind, dem::DeviceKind::CPU);
  EXPECT_EQ(one.threads, 1);
  EXPECT_MENTIONS(one.name, "CPU");
  EXPECT_GE(dem::chooseDevice(dem::DeviceKind::CPU).threads, 1);
  const dem::Device any = dem::chooseDevice(dem::DeviceKind::Auto);
  EXPECT_NE(any.kind, dem::DeviceKind::Auto);
  const std::string reason = dem::cudaUnavailableReason();
  if (reason.empty())
  {
    EXPECT_EQ(any.kind, dem::DeviceKind::CUDA);
    EXPECT_MENTIONS(any.name, "CUDA");
  }
  else
  {
    EXPECT_EQ(any.kind, dem::DeviceKind::CPU);
    // nothing falls back silently
    EXPECT_MENTIONS(errorOf([] { dem::chooseDevice(dem::DeviceKind::CUDA); }), reason);
    dem::Scene s = emptyScene();
    addSphere(s, { 0, 0, 0 }, 0.01);
    EXPECT_MENTIONS(errorOf([&] { dem::Simulation sim(s, { dem::DeviceKind::CUDA, 0 }); }), reason);
  }
}

// A frame says which device made it.
TEST(Core, FramesNameTheirDevice)
{
  dem::Scene s = emptyScene();
  addSphere(s, { 0, 0, 0 }, 0.01);
  dem::Simulation sim(s, { dem::DeviceKind::CPU, 1 });
  EXPECT_EQ(sim.frame().device, sim.device().name);
  EXPECT_MENTIONS(sim.frame().device, "CPU");
}

// A block is never handed out again while anything refers to it, and is reused afterwards.
TEST(Core, HostBlocksAreRecycledOnlyWhenFree)
{
  std::set<void*> alive;
  std::vector<dem::HostArray<double>> held;
  for (int i = 0; i < 50; ++i)
  {
    held.emplace_back(1000);
    for (std::size_t k = 0; k < 1000; ++k)
    {
      held.back()[k] = i;
    }
    EXPECT_TRUE(alive.insert(held.back().data()).second);
  }
  std::shared_ptr<void> keep = held[7].block();
  held.clear();
  EXPECT_EQ(static_cast<double*>(keep.get())[999], 7);
  dem::HostArray<double> a(1000);
  EXPECT_NE(a.data(), keep.get());
  EXPECT_EQ(alive.count(a.data()), 1u);
  EXPECT_EQ(a.size(), 1000u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0u);
}

TEST(Core, HostBlocksFromManyThreads)
{
  std::vector<std::thread> threads;
  std::atomic<int> wrong{ 0 };
  for (int t = 0; t < 4; ++t)
  {
    threads.emplace_back([t, &wrong] {
      for (int i = 0; i < 500; ++i)
      {
        dem::HostArray<int> a(100 + 10 * (i % 7));
        std::fill(a.data(), a.data() + a.size(), 1000 * t + i);
        std::this_thread::yield();
        for (int x : a)
        {
          wrong += x != 1000 * t + i;
        }
      }
    });
  }
  for (std::thread& t : threads)
  {
    t.join();
  }
  EXPECT_EQ(wrong, 0);
}

// A frame's memory is not rewritten by later frames.
TEST(Core, FramesAreNotRewritten)
{
  dem::Scene s = emptyScene();
  addSphere(s, { 0, 0, 0 }, 0.01, { 1, 0, 0 });
  setSteps(s, 1e-4, 1000);
  dem::Simulation sim(s, { dem::DeviceKind::Auto, 1 });
  std::vector<dem::Frame> frames;
  for (int k = 0; k < 20; ++k)
  {
    frames.push_back(sim.frame());
    advance(sim, 10);
  }
  for (int k = 0; k < 20; ++k)
  {
    EXPECT_NEAR(frames[k].position[0], 1e-3 * k, 1e-9);
    EXPECT_NEAR(frames[k].time, 1e-3 * k, 1e-12);
  }
}

TEST(Core, SortIsStableAndUsesOnlyTheBitsAsked)
{
  dem::CpuExec exec(2);
  std::mt19937 random(4);
  for (std::size_t n : { 0, 1, 2, 1000, 100000 })
  {
    for (int bits : { 8, 20, 32 })
    {
      std::vector<std::uint32_t> keys(n), values(n), other(n), more(n);
      for (std::size_t i = 0; i < n; ++i)
      {
        keys[i] = random();
        keys[i] = bits < 32 ? keys[i] & ((1u << bits) - 1) : keys[i];
        values[i] = static_cast<std::uint32_t>(i);
      }
      std::vector<std::uint32_t> order(n);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(
        order.begin(), order.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
      const std::vector<std::uint32_t> before = keys;
      dem::sortPairs(exec, keys.data(), other.data(), values.data(), more.data(), n, bits);
      ASSERT_EQ(values, order) << n << " " << bits;
      for (std::size_t i = 0; i < n; ++i)
      {
        ASSERT_EQ(keys[i], before[order[i]]);
      }
    }
  }
}

TEST(Core, ScanCountsAndBounds)
{
  dem::CpuExec exec(2);
  for (std::size_t n : { 0, 1, 1000, 70000 })
  {
    std::vector<std::uint32_t> counts(n), offsets(n + 1, 7);
    std::uint64_t sum = 0;
    std::mt19937 random(5);
    std::vector<dem::Vec4<double>> points(n);
    Vec3d lower{ 1e300, 1e300, 1e300 }, upper{ -1e300, -1e300, -1e300 };
    for (std::size_t i = 0; i < n; ++i)
    {
      counts[i] = random() % 50;
      points[i] = { random() * 1e-9, -double(random()), random() * 0.5, 0 };
      for (int k = 0; k < 3; ++k)
      {
        lower[k] = std::min(lower[k], points[i].xyz()[k]);
        upper[k] = std::max(upper[k], points[i].xyz()[k]);
      }
    }
    EXPECT_EQ(dem::scanCounts(exec, counts.data(), offsets.data(), n),
      std::accumulate(counts.begin(), counts.end(), 0ull));
    for (std::size_t i = 0; i < n; ++i)
    {
      ASSERT_EQ(offsets[i], sum);
      sum += counts[i];
    }
    EXPECT_EQ(offsets[n], sum);
    if (n > 0)
    {
      Vec3d box[2];
      dem::queueBounds(exec, points.data(), n, box);
      EXPECT_TRUE(box[0] == lower && box[1] == upper);
    }
  }
  // a total that does not fit is an error, not a wrong list
  std::vector<std::uint32_t> counts(5, 0x7fffffffu), offsets(6);
  EXPECT_NE(errorOf([&] { dem::scanCounts(exec, counts.data(), offsets.data(), 5); }), "");
}
