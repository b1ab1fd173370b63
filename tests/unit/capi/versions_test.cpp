// Programs built with an older or newer header than the library.
#include <array>
#include <cstddef>
#include <cstring>

#include "fixture.hpp"

namespace trueasync::test {
namespace {

// A struct of a newer header: the known struct with more members.
template <class T>
struct Newer {
  T known = TA_OPTIONS(T);
  std::array<unsigned char, 24> more = {};
  Newer() { known.size = sizeof *this; }
};

ta_status count_run(void* argument, ta_error*) {
  ++*static_cast<int*>(argument);
  return TA_OK;
}

ta_status never_called(void*, ta_error*) { return CHECK_FAILED; }

// ABI-01
TEST(CVersion, OlderProgramGetsItsTables) {
  struct {
    size_t size;
    const ta_core_table* core;
    const ta_runtime_table* runtime;
    void* beyond_size;
  } old = {offsetof(decltype(old), beyond_size), nullptr, nullptr, &old};
  ta_error error = TA_ERROR_INIT;
  ASSERT_EQ(ta_get_api(TA_ABI_MAJOR, 0, reinterpret_cast<ta_api*>(&old), &error), TA_OK) << error.message;
  EXPECT_EQ(old.core, ta.core);
  EXPECT_EQ(old.runtime, ta.runtime);
  EXPECT_EQ(old.beyond_size, &old);
}

// ABI-01
TEST(CVersion, NewerProgramGetsVersionError) {
  Newer<ta_api> api;
  api.more.fill(0xff);
  ta_error error = TA_ERROR_INIT;
  EXPECT_EQ(ta_get_api(TA_ABI_MAJOR, TA_ABI_MINOR + 1, &api.known, &error), TA_VERSION);
  EXPECT_TRUE(std::strstr(error.message, "needs 1.1")) << error.message;
  EXPECT_EQ(api.known.core, nullptr);
  // The program requests an older minor version; the unknown tables are set to NULL.
  ASSERT_EQ(ta_get_api(TA_ABI_MAJOR, TA_ABI_MINOR, &api.known, &error), TA_OK);
  EXPECT_EQ(api.known.core, ta.core);
  EXPECT_EQ(api.more, (std::array<unsigned char, 24>{}));
  EXPECT_TRUE(TA_HAS(api.known.core, ta_core_table, shut_down));
}

// ABI-01
TEST(CVersion, OtherMajorVersionIsRejected) {
  ta_api api = TA_OPTIONS(ta_api);
  ta_error error = TA_ERROR_INIT;
  EXPECT_EQ(ta_get_api(TA_ABI_MAJOR + 1, 0, &api, &error), TA_VERSION);
  EXPECT_TRUE(std::strstr(error.message, "version 2")) << error.message;
  EXPECT_EQ(ta_get_api(TA_ABI_MAJOR, 0, nullptr, &error), TA_MISUSE);
  api.size = 0;
  EXPECT_EQ(ta_get_api(TA_ABI_MAJOR, 0, &api, nullptr), TA_MISUSE);
}

class CStructTest : public CProgram {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CStructTest);

// ABI-01
TEST_P(CStructTest, ShorterStructIsCompletedWithDefaults) {
  run([] {
    int runs = 0;
    ta_spawn_options old = TA_OPTIONS(ta_spawn_options);
    old.size = offsetof(ta_spawn_options, dispose);  // the older header ends here
    old.entry = count_run;
    old.argument = &runs;
    old.dispose = reinterpret_cast<ta_dispose>(1);  // members beyond `size` are not read
    old.name = reinterpret_cast<const char*>(1);
    old.flags = ~0ULL;
    ta_coroutine* coroutine = nullptr;
    ASSERT_EQ(ta.core->spawn(&old, &coroutine, TA_HERE, nullptr), TA_OK);
    EXPECT_EQ(ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, nullptr), TA_OK);
    EXPECT_EQ(runs, 1);

    // An output struct is not written beyond its size.
    ta_coroutine_info info;
    std::memset(&info, 0xee, sizeof info);
    info.size = offsetof(ta_coroutine_info, name);
    ASSERT_EQ(ta.core->info(coroutine, &info, nullptr), TA_OK);
    EXPECT_NE(info.id, 0xeeeeeeeeeeeeeeeeULL);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(info.name), 0xeeeeeeeeeeeeeeeeULL);
    EXPECT_EQ(info.size, offsetof(ta_coroutine_info, name));
    ta.core->release(coroutine);
  });
}

// ABI-01 IO-18
TEST_P(CStructTest, LongerStructIsAcceptedUnlessUnknownMemberIsSet) {
  run([] {
    int runs = 0;
    Newer<ta_spawn_options> newer;
    newer.known.entry = count_run;
    newer.known.argument = &runs;
    ta_coroutine* coroutine = nullptr;
    ASSERT_EQ(ta.core->spawn(&newer.known, &coroutine, TA_HERE, nullptr), TA_OK);
    EXPECT_EQ(ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, nullptr), TA_OK);
    EXPECT_EQ(runs, 1);

    Newer<ta_coroutine_info> info;
    info.more.fill(0xff);
    ASSERT_EQ(ta.core->info(coroutine, &info.known, nullptr), TA_OK);
    EXPECT_EQ(info.more, (std::array<unsigned char, 24>{}));
    EXPECT_EQ(info.known.state, static_cast<ta_coroutine_state>(TA_COROUTINE_FINISHED));
    ta.core->release(coroutine);

    newer.more[20] = 1;
    newer.known.entry = never_called;
    ta_error error = TA_ERROR_INIT;
    EXPECT_EQ(ta.core->spawn(&newer.known, &coroutine, TA_HERE, &error), TA_VERSION);
    EXPECT_TRUE(std::strstr(error.message, "ta_spawn_options")) << error.message;
  });
}

// ABI-01
TEST_P(CStructTest, StructWithoutSizeIsMisuse) {
  run([] {
    ta_spawn_options options = {};
    ta_coroutine_info info = {};
    ta_error error = TA_ERROR_INIT;
    EXPECT_EQ(ta.core->spawn(&options, nullptr, TA_HERE, &error), TA_MISUSE);
    EXPECT_TRUE(std::strstr(error.message, "size is not set")) << error.message;
    EXPECT_EQ(ta.core->info(ta.core->current(), &info, &error), TA_MISUSE);
    EXPECT_EQ(ta.core->info(ta.core->current(), nullptr, &error), TA_MISUSE);
  });
}

}  // namespace
}  // namespace trueasync::test
