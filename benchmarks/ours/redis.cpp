// GET by 64 coroutines over 8 connections, `pipelined` commands at a time.
#include "ours/in_runtime.hpp"
#include "ours/workloads.hpp"
#include "support/harness.hpp"

#ifdef TRUEASYNC_REDIS_EXTENSION

#include <trueasync_redis.h>

#include "ours/extension.hpp"

namespace bench::ours {

void redis(std::uint64_t pipelined) {
  run_in_runtime([=] {
    const auto& redis = load_extension<ta_redis_table>(TRUEASYNC_REDIS_EXTENSION);
    ta_redis_options options = ta_options<ta_redis_options>();
    options.port = static_cast<std::uint16_t>(std::stoi(database_target()));
    options.min = options.max = kDatabaseConnections;
    ta_redis* server = nullptr;
    ta_error error = TA_ERROR_INIT;
    if (redis.open(&options, &server, TA_HERE, &error) != TA_OK) fail(error.message);
    // The key and value that redis-benchmark uses.
    const char* const set[] = {"SET", "key:__rand_int__", "xxx"};
    const char* const get[] = {"GET", "key:__rand_int__"};
    const ta_redis_command first = {3, set, nullptr};
    const std::vector<ta_redis_command> commands(pipelined, ta_redis_command{2, get, nullptr});
    if (redis.command(server, &first, kDatabaseTimeout, nullptr, TA_HERE, &error) != TA_OK) fail(error.message);
    const std::uint64_t times = operations_or(1'000'000) / pipelined / kDatabaseUsers * kDatabaseUsers;
    const double elapsed = share_database(times, [&] {
      redisReply* replies[64];
      if (redis.pipeline(server, commands.data(), commands.size(), kDatabaseTimeout, replies, TA_HERE, &error) !=
          TA_OK) {
        fail(error.message);
      }
      for (std::uint64_t i = 0; i < pipelined; ++i) {
        if (replies[i]->type != REDIS_REPLY_STRING || replies[i]->len != 3) fail("unexpected response");
        redis.free_reply(replies[i]);
      }
    });
    redis.close(server);
    report(static_cast<double>(times * pipelined) * 1e9 / elapsed);
  });
}

}  // namespace bench::ours

#else

#include <cstdio>
#include <cstdlib>

void bench::ours::redis(std::uint64_t) { std::exit((std::fputs("built without hiredis\n", stderr), 1)); }

#endif
