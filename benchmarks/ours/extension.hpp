// Workloads with a real server and an extension, loaded in the same way as by a user program. The driver starts the server
// and passes its address in the environment variable DATABASE.
#pragma once

#include <trueasync.h>

#include <cstdint>
#include <functional>
#include <string>
#include <trueasync/trueasync.hpp>
#include <vector>

#include "support/harness.hpp"

namespace bench::ours {

inline constexpr std::uint64_t kDatabaseUsers = 64;
inline constexpr std::uint32_t kDatabaseConnections = 8;
inline constexpr std::int64_t kDatabaseTimeout = TA_SECONDS(10);

[[noreturn]] void fail(const char* text);
std::string database_target();

// Loads an extension and returns its function table.
template <class Table>
const Table& load_extension(const char* path) {
  ta_api api = ta_options<ta_api>();
  ta_error error = TA_ERROR_INIT;
  const Table* table = nullptr;
  if (ta_get_api(TA_ABI_MAJOR, TA_ABI_MINOR, &api, &error) != TA_OK ||
      api.runtime->load_extension(path, &table, &error) != TA_OK) {
    fail(error.message);
  }
  return *table;
}

// Calls `use` `times` times, divided among kDatabaseUsers coroutines. Returns the total time in ns, without the time to
// connect.
template <class F>
double share_database(std::uint64_t times, const F& use) {
  const auto all = [&use](std::uint64_t each) {
    std::vector<trueasync::Task<void>> users;
    for (std::uint64_t i = 0; i < kDatabaseUsers; ++i) {
      users.push_back(trueasync::spawn([&use, each] {
        for (std::uint64_t k = 0; k < each; ++k) use();
      }));
    }
    for (auto& user : users) trueasync::await(user);
  };
  all(10);
  const Stopwatch watch;
  all(times / kDatabaseUsers);
  return watch.elapsed_ns();
}

}  // namespace bench::ours
