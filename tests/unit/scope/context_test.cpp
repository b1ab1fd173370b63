// Values that travel with the work.
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

class Contexts : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(Contexts);

const ContextKey<int> kNumber{"number"};
const ContextKey<std::string> kName{"name"};
const ContextKey<std::unique_ptr<int>> kOwned{"owned"};

TEST_P(Contexts, ALookUpPassesScopesThatHaveNone) {
  // CX-01 CX-02
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
      EXPECT_EQ(coroutine_context().get(kNumber), 2) << "the nearest counts";
      coroutine_context().set(kNumber, 3);
      EXPECT_EQ(coroutine_context().get_local(kNumber), 3);
      EXPECT_EQ(current_context().get(kNumber), 2);
    }));
    EXPECT_EQ(current_context().get(kNumber), 1);
  });
}

TEST_P(Contexts, TheRootsIsMains) {
  // CX-02
  run([] {
    current_context().set(kNumber, 5);
    EXPECT_EQ(root_context().get(kNumber), 5);
    spawn([] { EXPECT_EQ(coroutine_context().get(kNumber), 5); });
  });
}

TEST_P(Contexts, FindAnswersEmptyAndGetThrows) {
  // CX-04
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

TEST_P(Contexts, AScopeWithoutAParentSeesNothingAbove) {
  // CX-05
  run([] {
    root_context().set(kNumber, 1);
    Scope alone;
    await(alone.spawn([] {
      EXPECT_FALSE(coroutine_context().has(kNumber));
      EXPECT_TRUE(root_context().has(kNumber));
    }));
  });
}

TEST_P(Contexts, AValueIsReplacedOnlyWhenAskedFor) {
  // CX-05: in place
  run([] {
    Context here = current_context();
    here.set(kNumber, 1).set(kName, "one");
    EXPECT_THROW(here.set(kNumber, 2), ContextError);
    EXPECT_EQ(here.get(kNumber), 1);
    here.set(kNumber, 2, OnExisting::replace);
    EXPECT_EQ(current_context().get(kNumber), 2);
    EXPECT_TRUE(here.unset(kNumber));
    EXPECT_FALSE(here.unset(kNumber));
    EXPECT_FALSE(current_context().has(kNumber));
  });
}

TEST_P(Contexts, UnsettingUncoversWhatIsAbove) {
  run([] {
    root_context().set(kNumber, 1);
    Scope scope = Scope::inherit();
    Context own = context_of(scope);
    own.set(kNumber, 2);
    own.unset(kNumber);
    EXPECT_EQ(own.get(kNumber), 1);
  });
}

TEST_P(Contexts, ValuesMayBeMoveOnlyAndOutliveTheirContext) {
  std::shared_ptr<std::unique_ptr<int>> kept;
  run([&] {
    current_context().set(kOwned, std::make_unique<int>(4));
    kept = current_context().find(kOwned);
  });
  EXPECT_EQ(**kept, 4);
}

TEST_P(Contexts, HostsUseStringsAndObjectsAsKeys) {
  run([] {
    Context here = current_context();
    int object = 0, other = 0;
    here.set_raw(RawContextKey("key"), std::make_shared<int>(1));
    here.set_raw(RawContextKey(&object, "key"), std::make_shared<int>(2));
    EXPECT_EQ(*std::static_pointer_cast<int>(here.get_raw(RawContextKey("key"))), 1);
    EXPECT_EQ(*std::static_pointer_cast<int>(here.get_raw(RawContextKey(&object, "any"))), 2);
    EXPECT_EQ(here.find_raw(RawContextKey(&other, "key")), nullptr);
    EXPECT_THROW(here.get_raw(RawContextKey("other")), ContextError);
  });
}

TEST_P(Contexts, OneMayOutliveItsScopeAndStillSeesWhatIsAbove) {
  // CX-05
  run([] {
    root_context().set(kNumber, 1);
    std::optional<Context> kept;
    {
      Scope scope = Scope::inherit();
      kept = context_of(scope);
      kept->set(kName, "here");
    }
    EXPECT_EQ(kept->get(kNumber), 1);
    EXPECT_EQ(kept->get(kName), "here");
  });
}

TEST_P(Contexts, ANewOneBelowAScopeIsItsHoldersAlone) {
  run([] {
    current_context().set(kNumber, 1);
    Context own = make_child_context(Scope::current());
    own.set(kName, "mine");
    EXPECT_EQ(own.get(kNumber), 1);
    EXPECT_FALSE(current_context().has(kName));
    EXPECT_FALSE(make_child_context(Scope::current()).has(kName));
  });
}

TEST_P(Contexts, AHostCanVisitTheValuesOfOne) {
  run([] {
    Context here = current_context();
    here.set_raw(RawContextKey("a"), std::make_shared<int>(1));
    here.set_raw(RawContextKey("b"), std::make_shared<int>(2));
    std::string seen;
    here.for_each_raw([&](const RawContextKey& key, const std::shared_ptr<void>& value) {
      seen += key.text + std::to_string(*static_cast<int*>(value.get()));
    });
    EXPECT_EQ(seen, "a1b2");
  });
}

}  // namespace
}  // namespace trueasync::test
