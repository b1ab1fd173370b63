// Context: values inherited through scopes.
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

class ContextTest : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ContextTest);

const ContextKey<int> kNumber{"number"};
const ContextKey<std::string> kName{"name"};
const ContextKey<std::unique_ptr<int>> kOwned{"owned"};

// CX-01 CX-02
TEST_P(ContextTest, LookupSkipsScopesWithoutContext) {
  run([] {
    root_context().set(kNumber, 1);
    Scope top = Scope::inherit();
    Scope middle = Scope::inherit(top);
    Scope low = Scope::inherit(middle);
    context_of(top).set(kName, "top");
    await(low.spawn([] {
      EXPECT_EQ(coroutine_context().get(kNumber), 1);
      EXPECT_EQ(current_context().get(kName), "top");
      EXPECT_FALSE(current_context().has_local(kName));
      EXPECT_EQ(current_context().find_local(kName), nullptr);
      current_context().set(kNumber, 2);
      EXPECT_EQ(coroutine_context().get(kNumber), 2) << "the value of the nearest scope applies";
      coroutine_context().set(kNumber, 3);
      EXPECT_EQ(coroutine_context().get_local(kNumber), 3);
      EXPECT_EQ(current_context().get(kNumber), 2);
    }));
    EXPECT_EQ(current_context().get(kNumber), 1);
  });
}

// CX-02
TEST_P(ContextTest, MainUsesTheRootContext) {
  run([] {
    current_context().set(kNumber, 5);
    EXPECT_EQ(root_context().get(kNumber), 5);
    spawn([] { EXPECT_EQ(coroutine_context().get(kNumber), 5); });
  });
}

// CX-04
TEST_P(ContextTest, FindReturnsNullAndGetThrows) {
  run([] {
    EXPECT_EQ(current_context().find(kNumber), nullptr);
    EXPECT_FALSE(current_context().has(kNumber));
    try {
      current_context().get(kNumber);
      ADD_FAILURE();
    } catch (const ContextError& error) {
      EXPECT_NE(std::string(error.what()).find("number"), std::string::npos);
    }
  });
}

// CX-05
TEST_P(ContextTest, ScopeWithoutParentInheritsNothing) {
  run([] {
    root_context().set(kNumber, 1);
    Scope alone;
    await(alone.spawn([] {
      EXPECT_FALSE(coroutine_context().has(kNumber));
      EXPECT_TRUE(root_context().has(kNumber));
    }));
  });
}

// CX-05
TEST_P(ContextTest, SetReplacesOnlyOnRequest) {
  run([] {
    Context context = current_context();
    context.set(kNumber, 1).set(kName, "one");
    EXPECT_THROW(context.set(kNumber, 2), ContextError);
    EXPECT_EQ(context.get(kNumber), 1);
    context.set(kNumber, 2, OnExisting::replace);
    EXPECT_EQ(current_context().get(kNumber), 2);
    EXPECT_TRUE(context.unset(kNumber));
    EXPECT_FALSE(context.unset(kNumber));
    EXPECT_FALSE(current_context().has(kNumber));
  });
}

TEST_P(ContextTest, UnsetExposesInheritedValue) {
  run([] {
    root_context().set(kNumber, 1);
    Scope scope = Scope::inherit();
    Context own = context_of(scope);
    own.set(kNumber, 2);
    own.unset(kNumber);
    EXPECT_EQ(own.get(kNumber), 1);
  });
}

TEST_P(ContextTest, MoveOnlyValueOutlivesItsContext) {
  std::shared_ptr<std::unique_ptr<int>> kept;
  run([&] {
    current_context().set(kOwned, std::make_unique<int>(4));
    kept = current_context().find(kOwned);
  });
  EXPECT_EQ(**kept, 4);
}

TEST_P(ContextTest, RawKeysAreStringsOrObjects) {
  run([] {
    Context context = current_context();
    int object = 0, other = 0;
    context.set_raw(RawContextKey("key"), std::make_shared<int>(1));
    context.set_raw(RawContextKey(&object, "key"), std::make_shared<int>(2));
    EXPECT_EQ(*std::static_pointer_cast<int>(context.get_raw(RawContextKey("key"))), 1);
    EXPECT_EQ(*std::static_pointer_cast<int>(context.get_raw(RawContextKey(&object, "any"))), 2);
    EXPECT_EQ(context.find_raw(RawContextKey(&other, "key")), nullptr);
    EXPECT_THROW(context.get_raw(RawContextKey("other")), ContextError);
  });
}

// CX-05
TEST_P(ContextTest, ContextOutlivesItsScopeAndKeepsInheriting) {
  run([] {
    root_context().set(kNumber, 1);
    std::optional<Context> kept;
    {
      Scope scope = Scope::inherit();
      kept = context_of(scope);
      kept->set(kName, "scope");
    }
    EXPECT_EQ(kept->get(kNumber), 1);
    EXPECT_EQ(kept->get(kName), "scope");
  });
}

TEST_P(ContextTest, ChildContextIsPrivateAndInherits) {
  run([] {
    current_context().set(kNumber, 1);
    Context own = make_child_context(Scope::current());
    own.set(kName, "mine");
    EXPECT_EQ(own.get(kNumber), 1);
    EXPECT_FALSE(current_context().has(kName));
    EXPECT_FALSE(make_child_context(Scope::current()).has(kName));
  });
}

TEST_P(ContextTest, ForEachRawVisitsLocalValues) {
  run([] {
    Context context = current_context();
    context.set_raw(RawContextKey("a"), std::make_shared<int>(1));
    context.set_raw(RawContextKey("b"), std::make_shared<int>(2));
    std::string seen;
    context.for_each_raw([&](const RawContextKey& key, const std::shared_ptr<void>& value) {
      seen += key.text + std::to_string(*static_cast<int*>(value.get()));
    });
    EXPECT_EQ(seen, "a1b2");
  });
}

}  // namespace
}  // namespace trueasync::test
