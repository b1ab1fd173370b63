// `select 1` by 64 coroutines over 8 connections.
#include "ours/in_runtime.hpp"
#include "ours/workloads.hpp"
#include "support/harness.hpp"

#ifdef TRUEASYNC_POSTGRES_EXTENSION

#include <trueasync_postgres.h>

#include "ours/extension.hpp"

namespace bench::ours {

void postgres(std::uint64_t) {
  run_in_runtime([] {
    const auto& pg = load_extension<ta_pg_table>(TRUEASYNC_POSTGRES_EXTENSION);
    const std::string target = database_target();
    ta_pg_options options = ta_options<ta_pg_options>();
    options.conninfo = target.c_str();
    options.min = options.max = kDatabaseConnections;
    ta_pg* database = nullptr;
    ta_error error = TA_ERROR_INIT;
    if (pg.open(&options, &database, TA_HERE, &error) != TA_OK) fail(error.message);
    const std::uint64_t times = operations_or(100'000) / kDatabaseUsers * kDatabaseUsers;
    const double elapsed = share_database(times, [&] {
      PGresult* result = nullptr;
      if (pg.query(database, "select 1", nullptr, 0, kDatabaseTimeout, &result, TA_HERE, &error) != TA_OK) {
        fail(error.message);
      }
      if (PQntuples(result) != 1 || PQgetvalue(result, 0, 0)[0] != '1') fail("unexpected response");
      pg.clear(result);
    });
    pg.close(database);
    report(static_cast<double>(times) * 1e9 / elapsed);
  });
}

}  // namespace bench::ours

#else

#include <cstdio>
#include <cstdlib>

void bench::ours::postgres(std::uint64_t) { std::exit((std::fputs("built without libpq\n", stderr), 1)); }

#endif
