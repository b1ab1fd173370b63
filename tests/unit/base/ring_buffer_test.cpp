// RingBuffer: order, growth, memory.
#include "base/ring_buffer.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <numeric>
#include <random>
#include <vector>

namespace trueasync::detail {
namespace {

std::vector<int> drain(RingBuffer<int>& ring) {
  std::vector<int> out;
  while (!ring.empty()) out.push_back(ring.pop_front());
  return out;
}

std::vector<int> iota(int first, int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), first);
  return values;
}

// Moves the head near the end of the slots, so that the next pushes wrap around.
void rotate(RingBuffer<int>& ring, int steps) {
  for (int i = 0; i < steps; ++i) {
    ring.push_back(-1);
    ring.pop_front();
  }
}

// SCH-08
TEST(RingBuffer, PushAndPopWorkAtBothEnds) {
  RingBuffer<int> ring(4);
  ring.push_back(2);
  ring.push_back(3);
  ring.push_front(1);
  EXPECT_EQ(ring.size(), 3u);
  EXPECT_EQ(ring.pop_back(), 3);
  EXPECT_EQ(ring.pop_front(), 1);
  EXPECT_EQ(ring.pop_front(), 2);
  EXPECT_TRUE(ring.empty());
}

// SCH-08
TEST(RingBuffer, PushFrontOnNewRingWrapsBelowZero) {
  RingBuffer<int> ring(4);
  for (int i = 5; i > 0; --i) ring.push_front(i);
  EXPECT_EQ(drain(ring), iota(1, 5));
}

// SCH-08
TEST(RingBuffer, GrowthKeepsOrderForEveryHeadPosition) {
  for (int steps = 0; steps < 8; ++steps) {
    RingBuffer<int> ring(8);
    rotate(ring, steps);
    for (int i = 0; i < 20; ++i) ring.push_back(i);
    EXPECT_EQ(ring.capacity(), 32u);
    EXPECT_EQ(drain(ring), iota(0, 20));
  }
}

// SCH-08
TEST(RingBuffer, DoesNotGrowWhileElementsFit) {
  RingBuffer<int> ring(8);
  for (int i = 0; i < 8; ++i) ring.push_back(i);
  EXPECT_EQ(ring.capacity(), 8u);
  for (int i = 8; i < 1000; ++i) {
    EXPECT_EQ(ring.pop_front(), i - 8);
    ring.push_back(i);
  }
  EXPECT_EQ(ring.capacity(), 8u);
}

TEST(RingBuffer, ReserveGrowsOnceAndKeepsOrder) {
  RingBuffer<int> ring(8);
  rotate(ring, 5);
  for (int i = 0; i < 6; ++i) ring.push_back(i);
  ring.reserve(100);
  EXPECT_EQ(ring.capacity(), 128u);
  for (int i = 6; i < 100; ++i) ring.push_back(i);
  EXPECT_EQ(ring.capacity(), 128u);
  ring.reserve(3);
  EXPECT_EQ(ring.capacity(), 128u) << "reserve never shrinks";
  EXPECT_EQ(drain(ring), iota(0, 100));
}

TEST(RingBuffer, ShrinkReleasesUnneededMemory) {
  RingBuffer<int> ring(4);
  for (int i = 0; i < 1000; ++i) ring.push_back(i);
  EXPECT_EQ(ring.capacity(), 1024u);
  while (ring.size() > 100) ring.pop_front();
  ring.shrink(300);
  EXPECT_EQ(ring.capacity(), 1024u) << "only when a quarter is enough";
  ring.shrink(4);
  EXPECT_EQ(ring.capacity(), 128u);
  EXPECT_EQ(drain(ring), iota(900, 100));
  ring.shrink(1000);
  EXPECT_EQ(ring.capacity(), 128u) << "shrink never grows";
  ring.shrink(4);
  EXPECT_EQ(ring.capacity(), 128u) << "a quarter is the least that pays";
}

TEST(RingBuffer, TakeRemovesElementAndKeepsOrder) {
  for (std::size_t at = 0; at < 6; ++at) {
    RingBuffer<int> ring(8);
    rotate(ring, 6);
    std::vector<int> expected = iota(0, 6);
    for (int value : expected) ring.push_back(value);
    EXPECT_EQ(ring.take(at), static_cast<int>(at));
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(at));
    EXPECT_EQ(drain(ring), expected);
  }
}

TEST(RingBuffer, PeekReadsFromHeadAndPastEnd) {
  RingBuffer<int> ring(4);
  rotate(ring, 3);
  ring.push_back(10);
  ring.push_back(11);
  EXPECT_EQ(ring.peek(0), 10);
  EXPECT_EQ(ring.peek(1), 11);
  for (std::size_t i = 2; i < 10; ++i) static_cast<void>(ring.peek(i));
  EXPECT_EQ(ring.size(), 2u);
}

// SCH-08
TEST(RingBuffer, BehavesLikeDeque) {
  for (unsigned seed : {1u, 2u, 3u, 42u, 4711u}) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    RingBuffer<int> ring(2);
    std::deque<int> model;
    for (int step = 0; step < 5000; ++step) {
      const unsigned roll = random() % 100;
      if (roll < 35) {
        ring.push_back(step);
        model.push_back(step);
      } else if (roll < 55) {
        ring.push_front(step);
        model.push_front(step);
      } else if (roll < 97 && !model.empty()) {
        const std::size_t at = random() % model.size();
        const int expected = roll < 75 ? model.front() : roll < 90 ? model.back() : model[at];
        const int got = roll < 75 ? ring.pop_front() : roll < 90 ? ring.pop_back() : ring.take(at);
        ASSERT_EQ(got, expected);
        if (roll < 75) {
          model.pop_front();
        } else if (roll < 90) {
          model.pop_back();
        } else {
          model.erase(model.begin() + static_cast<std::ptrdiff_t>(at));
        }
      } else if (roll >= 97) {
        ring.shrink(2);
      }
      ASSERT_EQ(ring.size(), model.size());
    }
    EXPECT_EQ(drain(ring), std::vector<int>(model.begin(), model.end()));
  }
}

}  // namespace
}  // namespace trueasync::detail
