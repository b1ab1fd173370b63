// The result of protect(): values, move-only types and references.
#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

class ProtectResult : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ProtectResult);

// CXL-03
TEST_P(ProtectResult, ReferenceRefersToSameObject) {
  run([] {
    int object = 5;
    static_assert(std::is_same_v<decltype(protect([&]() -> int& { return object; })), int&>);
    int& same = protect([&]() -> int& { return object; });
    EXPECT_EQ(&same, &object);
    const int& read_only = protect([&]() -> const int& { return object; });
    EXPECT_EQ(&read_only, &object);
    int&& movable = protect([&]() -> int&& { return std::move(object); });
    EXPECT_EQ(&movable, &object);
  });
}

// CXL-03
TEST_P(ProtectResult, MayBeMoveOnly) {
  run([] { EXPECT_EQ(*protect([] { return std::make_unique<int>(4); }), 4); });
}

// CXL-03 CA-06
TEST_P(ProtectResult, ReferenceIsDiscardedOnCancellation) {
  run([] {
    int object = 5;
    bool returned = false;
    auto task = spawn([&] {
      protect([&]() -> int& {
        current_coroutine().cancel();
        yield();
        return object;
      });
      returned = true;
    });
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_FALSE(returned);
  });
}

}  // namespace
}  // namespace trueasync::test
