#include "trueasync/detail/ref.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace trueasync {
namespace {

struct Counted {
  void retain() noexcept { ++references; }
  void release() noexcept { --references; }
  int references = 0;
};
struct Derived : Counted {};

TEST(Ref, HoldsReferenceWhileAlive) {
  Counted object;
  {
    Ref<Counted> first(&object);
    EXPECT_EQ(object.references, 1);
    Ref<Counted> second = first;
    EXPECT_EQ(object.references, 2);
    EXPECT_EQ(second.get(), &object);
  }
  EXPECT_EQ(object.references, 0);
}

TEST(Ref, AdoptAndDetachTransferReference) {
  Counted object;
  object.retain();
  Ref<Counted> ref = Ref<Counted>::adopt(&object);
  EXPECT_EQ(object.references, 1);
  EXPECT_EQ(ref.detach(), &object);
  EXPECT_FALSE(ref);
  EXPECT_EQ(object.references, 1);
}

TEST(Ref, MoveDoesNotChangeCount) {
  Counted object;
  Ref<Counted> first(&object);
  Ref<Counted> second = std::move(first);
  EXPECT_EQ(object.references, 1);
  EXPECT_FALSE(first);  // NOLINT: a moved-from Ref is empty by contract
  first = std::move(second);
  EXPECT_EQ(object.references, 1);
  EXPECT_EQ(first.get(), &object);
}

TEST(Ref, AssignmentReleasesOldAndHandlesSelf) {
  Counted old_object;
  Counted object;
  Ref<Counted> ref(&old_object);
  ref = Ref<Counted>(&object);
  EXPECT_EQ(old_object.references, 0);
  auto& same = ref;
  ref = same;
  EXPECT_EQ(object.references, 1);
  ref = nullptr;
  EXPECT_EQ(object.references, 0);
}

TEST(Ref, ConvertsToBase) {
  Derived object;
  Ref<Derived> derived(&object);
  Ref<Counted> base = derived;
  EXPECT_EQ(object.references, 2);
  base = std::move(derived);
  EXPECT_EQ(object.references, 1);
}

}  // namespace
}  // namespace trueasync
