// Callers that share one hostent and one buffer between their coroutines.
#include <netdb.h>

#include <algorithm>
#include <cstdlib>

#include "fixture.hpp"

namespace trueasync::test {
namespace {

class BlockingHostent : public Blocking {};

// Shares a buffer like PHP: a later call frees the buffer that an earlier suspended call was given.
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
      max_size_ = std::max(max_size_, size_);
      buffer_ = static_cast<char*>(std::realloc(buffer_, size_));
    }
    return found ? found->h_name : "not found";
  }
  std::size_t max_size() const noexcept { return max_size_; }

 private:
  hostent entry_ = {};
  char* buffer_ = nullptr;
  std::size_t size_ = 0;
  std::size_t max_size_ = 0;
};

// R2
TEST_F(BlockingHostent, SupersededCallsGetTheirOwnAnswers) {
  SharedCaller caller;
  run([&] {
    std::vector<Task<std::string>> tasks;
    for (int i = 0; i < 200; ++i) {
      const char* name = i % 40 == 0 ? "no.such.name.invalid" : i % 2 == 1 ? "localhost" : "127.0.0.3";
      tasks.push_back(spawn([&caller, name] { return caller.look_up(name); }));
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      EXPECT_EQ(await(tasks[i]), i % 40 == 0 ? "not found" : i % 2 == 1 ? "localhost" : "127.0.0.3");
    }
  });
  // Superseded calls must not enlarge the shared buffer.
  EXPECT_LE(caller.max_size(), 4096U);
}

TEST_F(BlockingHostent, NullBufferFailsWithErange) {
  run([&] {
    hostent entry = {};
    hostent* found = &entry;
    int error = 0;
    EXPECT_EQ(c_gethostbyname_r("localhost", &entry, nullptr, 1 << 20, &found, &error), ERANGE);
    EXPECT_EQ(found, nullptr);
  });
}

TEST_F(BlockingHostent, SeparateHostentsAreIndependent) {
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
