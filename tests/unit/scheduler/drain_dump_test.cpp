// How main reads in dump() while it waits for those it left running.
#include "manual_event.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class DrainDump : public ReactorTest {
 protected:
  // The lines about main, seen from a coroutine that outlives it.
  std::string main_in_dump() {
    std::string text;
    run([&] {
      spawn({.name = "left behind"}, [&] {
        delay(1ms);
        text = dump();
      });
    });
    const auto end = text.find("  coroutine #", 3);
    EXPECT_NE(end, std::string::npos) << text;
    return text.substr(0, end);
  }
};
TRUEASYNC_TEST_ON_ALL_REACTORS(DrainDump);

TEST_P(DrainDump, SaysThatMainWaitsForTheOthers) {
  const std::string main = main_in_dump();
  EXPECT_NE(main.find("\"main\""), std::string::npos) << main;
  EXPECT_NE(main.find("waits for"), std::string::npos) << main;
  EXPECT_EQ(main.find("an unknown event"), std::string::npos) << main;
}

TEST_P(DrainDump, DoesNotCallMainProtected) {
  const std::string main = main_in_dump();
  EXPECT_EQ(main.find("protected"), std::string::npos) << main;
}

TEST_P(DrainDump, NamesNoPlaceInsideTheLibrary) {
  const std::string main = main_in_dump();
  EXPECT_EQ(main.find("runtime.hpp"), std::string::npos) << main;
}

}  // namespace
}  // namespace trueasync::test
