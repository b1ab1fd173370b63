// An extension in a shared object that uses only the header.
#include <cstring>
#include <filesystem>

#include "capi/handles.hpp"
#include "extension/extension.h"
#include "fixture.hpp"

namespace trueasync::test {
namespace {

std::string path_of(const char* name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
}

// ABI-02
TEST(CExtension, ExtensionCreatesPoolsCoroutinesAndEvents) {
  const counters_functions* functions = nullptr;
  ta_error error = TA_ERROR_INIT;
  ASSERT_EQ(ta.runtime->load_extension(path_of("capi_extension.so").c_str(), &functions, &error), TA_OK)
      << error.message;
  Runtime runtime;
  runtime.run([&] {
    counters* counters = nullptr;
    ASSERT_EQ(functions->open(&counters, &error), TA_OK) << error.message;
    int last = 0;
    auto watcher = spawn([&] {
      Event* changed = detail::event_of(functions->changed(counters));
      wait_any({{changed}});
      last = -1;
    });
    yield();
    int total = 0;
    EXPECT_EQ(functions->add(counters, 40, &total, &error), TA_OK) << error.message;
    EXPECT_EQ(functions->add(counters, 2, &total, &error), TA_OK) << error.message;
    EXPECT_EQ(total, 42);
    await(watcher);
    EXPECT_EQ(last, -1);
    functions->close(counters);
  });
  expect_no_leaks(runtime);
}

// ABI-01
TEST(CExtension, FailedLoadReportsReason) {
  ta_error error = TA_ERROR_INIT;
  EXPECT_EQ(ta.runtime->load_extension("/nowhere/at/all.so", nullptr, &error), TA_UNAVAILABLE);
  EXPECT_TRUE(std::strstr(error.message, "/nowhere/at/all.so")) << error.message;
  EXPECT_EQ(ta.runtime->load_extension("libm.so.6", nullptr, &error), TA_UNAVAILABLE);
  EXPECT_TRUE(std::strstr(error.message, "ta_extension_main")) << error.message;
  EXPECT_EQ(ta.runtime->load_extension(path_of("capi_extension.so").c_str(), nullptr, &error), TA_STATUS_USER_BASE);
  EXPECT_EQ(ta.runtime->load_extension(nullptr, nullptr, &error), TA_MISUSE);
}

}  // namespace
}  // namespace trueasync::test
