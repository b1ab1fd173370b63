// 100 queries on 20 concurrent connections with libpq's blocking calls. The patched calls suspend the coroutine; libpq is
// unmodified. Then a query is cancelled.
//
//   ./run examples/blocking_postgres.cpp "host=… dbname=…"    or TRUEASYNC_PGSQL_CONNINFO in the environment
// link: -lpq
#include <postgresql/libpq-fe.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <trueasync/trueasync.hpp>
#include <vector>

namespace ta = trueasync;
using namespace std::chrono_literals;

namespace {

constexpr int kConnections = 20;
constexpr int kQueriesEach = 5;

using Connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;
using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

// Ordinary blocking code, without coroutines.
Connection connect(const std::string& conninfo) { return {PQconnectdb(conninfo.c_str()), &PQfinish}; }

std::string query_value(const Connection& connection, const std::string& query) {
  const Result result(PQexec(connection.get(), query.c_str()), &PQclear);
  if (PQresultStatus(result.get()) != PGRES_TUPLES_OK) return "failed";
  return PQgetvalue(result.get(), 0, 0);
}

void run_queries(const std::string& conninfo) {
  const auto start = ta::Clock::now();
  std::vector<ta::Task<int>> tasks;
  for (int i = 0; i < kConnections; ++i) {
    tasks.push_back(ta::spawn({.stack_size = 256 * 1024}, [&conninfo, i] {
      const Connection connection = connect(conninfo);
      int succeeded = 0;
      for (int k = 0; k < kQueriesEach; ++k) {
        const std::string number = std::to_string(i * kQueriesEach + k);
        succeeded += query_value(connection, "select " + number + " from pg_sleep(0.2)") == number;
      }
      return succeeded;
    }));
  }
  int succeeded = 0;
  for (auto& task : tasks) succeeded += ta::await(task);
  const bool is_concurrent = ta::Clock::now() - start < kConnections * kQueriesEach * 200ms / 4;
  std::printf("%d of %d queries\n", succeeded, kConnections * kQueriesEach);
  std::printf("%s than sequentially\n", is_concurrent ? "much faster" : "not much faster");

  // A connection that was interrupted in a query is lost: the next response on it would belong to the old query.
  const Connection interrupted = connect(conninfo);
  auto cancelled = ta::spawn({.stack_size = 256 * 1024}, [&] {
    const std::string result = query_value(interrupted, "select 1 from pg_sleep(60)");
    std::printf("cancelled query: %s\n", result.c_str());
  });
  ta::delay(50ms);
  cancelled.cancel();
  ta::await(cancelled);
  std::printf("next query on its connection: %s\n", query_value(interrupted, "select 41").c_str());
  const Connection connection = connect(conninfo);
  std::printf("query on a new connection: %s\n", query_value(connection, "select 42").c_str());
}

}  // namespace

int main(int count, char** arguments) {
  const char* variable = std::getenv("TRUEASYNC_PGSQL_CONNINFO");
  const std::string conninfo = count > 1 ? arguments[1] : variable ? variable : "";
  if (conninfo.empty()) {
    std::printf("no server given; example: ./run examples/blocking_postgres.cpp \"host=localhost dbname=postgres\"\n");
    return 0;
  }
  return ta::run([&] {
    ta::blocking::enable({"libpq"});
    run_queries(conninfo);
    ta::blocking::disable();
  });
}
