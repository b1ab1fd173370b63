// Registration and replacement of tables.
#include <cstring>

#include "fixture.hpp"

namespace trueasync::test {
namespace {

const ta_thread_pool_table* registered_thread_pool() {
  ta_api api = TA_OPTIONS(ta_api);
  EXPECT_EQ(ta_get_api(TA_ABI_MAJOR, 0, &api, nullptr), TA_OK);
  return api.threads;
}

class CRegistryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    other_ = *ta.threads;
    other_.head.implementation = "another implementation";
  }
  void TearDown() override { ta_register(TA_TABLE_THREADS, ta.threads, TA_REGISTER_OVERRIDE, nullptr); }

  ta_thread_pool_table other_ = {};
  ta_error error_ = TA_ERROR_INIT;
};

// ABI-01
TEST_F(CRegistryTest, TablesAreRegisteredAtLoad) {
  ASSERT_NE(ta.core, nullptr);
  EXPECT_EQ(std::strncmp(ta.core->head.implementation, "trueasync ", 10), 0);
  EXPECT_EQ(ta.core->head.size, sizeof(ta_core_table));
  EXPECT_EQ(ta.pool->head.major, static_cast<unsigned>(TA_ABI_MAJOR));
  EXPECT_EQ(ta.host, nullptr);
}

// ABI-02
TEST_F(CRegistryTest, SecondTableNeedsOverride) {
  EXPECT_EQ(ta_register(TA_TABLE_THREADS, &other_, 0, &error_), TA_EXISTS);
  EXPECT_TRUE(std::strstr(error_.message, "another implementation") &&
              std::strstr(error_.message, "TA_REGISTER_OVERRIDE"))
      << error_.message;
  EXPECT_EQ(registered_thread_pool(), ta.threads);
  EXPECT_EQ(ta_register(TA_TABLE_THREADS, &other_, TA_REGISTER_OVERRIDE, &error_), TA_OK);
  EXPECT_EQ(registered_thread_pool(), &other_);
}

// ABI-02 IO-18
TEST_F(CRegistryTest, InvalidTableIsRejected) {
  EXPECT_EQ(ta_register(TA_TABLE_COUNT, &other_, 0, &error_), TA_MISUSE);
  EXPECT_EQ(ta_register(TA_TABLE_THREADS, nullptr, 0, &error_), TA_MISUSE);
  EXPECT_EQ(ta_register(TA_TABLE_THREADS, &other_, 6, &error_), TA_MISUSE);
  other_.head.major = TA_ABI_MAJOR + 1;
  EXPECT_EQ(ta_register(TA_TABLE_THREADS, &other_, TA_REGISTER_OVERRIDE, &error_), TA_VERSION);
  other_.head = {};
  EXPECT_EQ(ta_register(TA_TABLE_THREADS, &other_, TA_REGISTER_OVERRIDE, &error_), TA_MISUSE);
  EXPECT_EQ(registered_thread_pool(), ta.threads);
}

// ABI-01
TEST_F(CRegistryTest, OlderTableRejectsNewerProgram) {
  EXPECT_EQ(ta_register(TA_TABLE_THREADS, &other_, TA_REGISTER_OVERRIDE, &error_), TA_OK);
  ta_api api = TA_OPTIONS(ta_api);
  EXPECT_EQ(ta_get_api(TA_ABI_MAJOR, TA_ABI_MINOR + 3, &api, &error_), TA_VERSION);
  other_.head.minor = TA_ABI_MINOR + 3;
  api.size = offsetof(ta_api, core) + sizeof(void*);
  EXPECT_EQ(ta_get_api(TA_ABI_MAJOR, TA_ABI_MINOR + 3, &api, &error_), TA_VERSION);
  EXPECT_TRUE(std::strstr(error_.message, "core")) << error_.message;
}

ta_status wrap(ta_pool* pool, void** object, ta_error*) {
  *object = pool;  // a host would create an object of its language
  return TA_OK;
}

ta_status create_resource(void*, void** resource, ta_error*) {
  static int resource_value;
  *resource = &resource_value;
  return TA_OK;
}

// ABI-01
TEST_F(CRegistryTest, HostWrapsPool) {
  static ta_host_table host = {{sizeof(ta_host_table), TA_ABI_MAJOR, TA_ABI_MINOR, "a test"}, nullptr};
  Runtime runtime;
  runtime.run([&] {
    ta_pool_options options = TA_OPTIONS(ta_pool_options);
    options.factory = create_resource;
    options.max = 1;
    ta_pool* pool = nullptr;
    void* object = nullptr;
    ASSERT_EQ(ta.pool->create(&options, &pool, TA_HERE, &error_), TA_OK) << error_.message;
    EXPECT_EQ(ta.pool->wrap(pool, &object, &error_), TA_UNAVAILABLE);
    EXPECT_EQ(ta_register(TA_TABLE_HOST, &host, 0, &error_), TA_OK);
    EXPECT_EQ(ta.pool->wrap(pool, &object, &error_), TA_UNAVAILABLE);
    host.wrap_pool = wrap;
    EXPECT_EQ(ta.pool->wrap(pool, &object, &error_), TA_OK);
    EXPECT_EQ(object, pool);
    ta.pool->destroy(pool);
  });
  host.wrap_pool = nullptr;
}

}  // namespace
}  // namespace trueasync::test
