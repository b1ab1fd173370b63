#include "trueasync/detail/intrusive_list.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace trueasync::detail {
namespace {

struct Item : ListHook {
  int value = 0;
};

class IntrusiveListTest : public ::testing::Test {
 protected:
  IntrusiveListTest() {
    for (int i = 0; i < 6; ++i) items_[static_cast<std::size_t>(i)].value = i;
  }
  void fill(IntrusiveList<Item>& list, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) list.push_back(items_[i]);
  }
  static std::vector<int> values(const IntrusiveList<Item>& list) {
    std::vector<int> out;
    for (Item* item = list.front(); item; item = list.next_of(*item)) out.push_back(item->value);
    return out;
  }

  std::array<Item, 6> items_;
};

TEST_F(IntrusiveListTest, KeepsPushOrder) {
  IntrusiveList<Item> list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.front(), nullptr);
  EXPECT_EQ(list.pop_front(), nullptr);
  fill(list, 0, 3);
  EXPECT_EQ(values(list), (std::vector{0, 1, 2}));
  EXPECT_EQ(list.pop_front(), &items_[0]);
  EXPECT_FALSE(items_[0].is_linked());
  EXPECT_EQ(values(list), (std::vector{1, 2}));
}

TEST_F(IntrusiveListTest, UnlinksAnyElementWithoutList) {
  IntrusiveList<Item> list;
  fill(list, 0, 5);
  items_[2].unlink();
  items_[0].unlink();
  items_[4].unlink();
  EXPECT_EQ(values(list), (std::vector{1, 3}));
  EXPECT_FALSE(items_[2].is_linked());
  list.push_back(items_[2]);
  EXPECT_EQ(values(list), (std::vector{1, 3, 2}));
}

TEST_F(IntrusiveListTest, UnlinkOfLastElementLeavesEmptyList) {
  IntrusiveList<Item> list;
  list.push_back(items_[0]);
  EXPECT_TRUE(items_[0].is_linked());
  items_[0].unlink();
  EXPECT_TRUE(list.empty());
}

TEST_F(IntrusiveListTest, SpliceMovesAllElementsInOrder) {
  IntrusiveList<Item> first;
  IntrusiveList<Item> second;
  fill(first, 0, 2);
  fill(second, 2, 5);
  first.splice_back(second);
  EXPECT_TRUE(second.empty());
  EXPECT_EQ(values(first), (std::vector{0, 1, 2, 3, 4}));
  items_[2].unlink();
  second.push_back(items_[2]);
  EXPECT_EQ(values(first), (std::vector{0, 1, 3, 4}));
  EXPECT_EQ(values(second), (std::vector{2}));
}

TEST_F(IntrusiveListTest, SpliceHandlesEmptyLists) {
  IntrusiveList<Item> first;
  IntrusiveList<Item> second;
  first.splice_back(second);
  EXPECT_TRUE(first.empty());
  fill(second, 0, 2);
  first.splice_back(second);
  EXPECT_EQ(values(first), (std::vector{0, 1}));
  first.splice_back(second);
  EXPECT_EQ(values(first), (std::vector{0, 1}));
}

}  // namespace
}  // namespace trueasync::detail
