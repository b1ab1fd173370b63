// The description of main in dump() while main waits for the coroutines that still run.
#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class DrainDump : public ReactorTest {
 protected:
  // The lines about main, from a dump made after the main function has returned.
  std::string dump_of_main() {
    std::string text;
    run([&] {
      spawn({.name = "background"}, [&] {
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

TEST_P(DrainDump, DescribesWhatMainWaitsFor) {
  const std::string main = dump_of_main();
  EXPECT_NE(main.find("\"main\""), std::string::npos) << main;
  EXPECT_NE(main.find("waits for"), std::string::npos) << main;
  EXPECT_EQ(main.find("an unknown event"), std::string::npos) << main;
}

TEST_P(DrainDump, DoesNotReportMainAsProtected) {
  const std::string main = dump_of_main();
  EXPECT_EQ(main.find("protected"), std::string::npos) << main;
}

TEST_P(DrainDump, ShowsNoLocationInsideTheLibrary) {
  const std::string main = dump_of_main();
  EXPECT_EQ(main.find("runtime.hpp"), std::string::npos) << main;
}

}  // namespace
}  // namespace trueasync::test
