// Callers that have one hostent, and one buffer, for all of their coroutines.
#include <netdb.h>

#include <algorithm>
#include <cstdlib>

#include "fixture.hpp"

namespace trueasync::test {
namespace {

class BlockingSharedEntry : public Blocking {};

// As PHP does it: the next caller frees what the one before it is still waiting to write into.
class SharedCaller {
 public:
  ~SharedCaller() { std::free(buffer_); }

  std::string look_up(const char* name) {
    std::free(buffer_);
    size_ = 16;
    buffer_ = static_cast<char*>(std::malloc(size_));
    entry_ = {};
    hostent* found = nullptr;
    int error = 0;
    while (c_gethostbyname_r(name, &entry_, buffer_, size_, &found, &error) == ERANGE) {
      size_ *= 2;
      largest_ = std::max(largest_, size_);
      buffer_ = static_cast<char*>(std::realloc(buffer_, size_));
    }
    return found ? found->h_name : "nobody";
  }
  std::size_t largest() const noexcept { return largest_; }

 private:
  hostent entry_ = {};
  char* buffer_ = nullptr;
  std::size_t size_ = 0;
  std::size_t largest_ = 0;
};

TEST_F(BlockingSharedEntry, EachGetsItsOwnAnswerAndNobodyWritesIntoFreedMemory) {
  // R2
  SharedCaller caller;
  run([&] {
    std::vector<Task<std::string>> tasks;
    for (int i = 0; i < 200; ++i) {
      const char* name = i % 40 == 0 ? "no.such.name.invalid" : i % 2 == 1 ? "localhost" : "127.0.0.3";
      tasks.push_back(spawn([&caller, name] { return caller.look_up(name); }));
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      EXPECT_EQ(await(tasks[i]), i % 40 == 0 ? "nobody" : i % 2 == 1 ? "localhost" : "127.0.0.3");
    }
  });
  // Those that were overtaken must not make the one buffer larger.
  EXPECT_LE(caller.largest(), 4096U);
}

TEST_F(BlockingSharedEntry, NoBufferIsOneThatIsTooSmall) {
  run([&] {
    hostent entry = {};
    hostent* found = &entry;
    int error = 0;
    EXPECT_EQ(c_gethostbyname_r("localhost", &entry, nullptr, 1 << 20, &found, &error), ERANGE);
    EXPECT_EQ(found, nullptr);
  });
}

TEST_F(BlockingSharedEntry, AnEntryOfItsOwnIsNobodysAffair) {
  run([&] {
    auto other = spawn([] {
      SharedCaller own;
      return own.look_up("localhost");
    });
    SharedCaller own;
    EXPECT_EQ(own.look_up("localhost"), "localhost");
    EXPECT_EQ(await(other), "localhost");
  });
}

}  // namespace
}  // namespace trueasync::test
