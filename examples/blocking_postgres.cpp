// A hundred queries at once with libpq's plain blocking calls: replaced calls make each of them suspend its coroutine, and
// nothing in libpq knows. With an error, and a query that is cancelled.
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

// As in any program that knows nothing of coroutines.
Connection connect(const std::string& where) { return {PQconnectdb(where.c_str()), &PQfinish}; }

std::string ask(const Connection& connection, const std::string& query) {
  const Result result(PQexec(connection.get(), query.c_str()), &PQclear);
  if (PQresultStatus(result.get()) != PGRES_TUPLES_OK) return "failed";
  return PQgetvalue(result.get(), 0, 0);
}

void show(const std::string& where) {
  const auto begun = ta::Clock::now();
  std::vector<ta::Task<int>> tasks;
  for (int i = 0; i < kConnections; ++i) {
    tasks.push_back(ta::spawn({.stack_size = 256 * 1024}, [&where, i] {
      const Connection connection = connect(where);
      int good = 0;
      for (int k = 0; k < kQueriesEach; ++k) {
        const std::string number = std::to_string(i * kQueriesEach + k);
        good += ask(connection, "select " + number + " from pg_sleep(0.2)") == number;
      }
      return good;
    }));
  }
  int good = 0;
  for (auto& task : tasks) good += ta::await(task);
  const bool is_concurrent = ta::Clock::now() - begun < kConnections * kQueriesEach * 200ms / 4;
  std::printf("%d of %d queries\n", good, kConnections * kQueriesEach);
  std::printf("%s than one after the other\n", is_concurrent ? "much faster" : "not much faster");

  // One that was left in the middle of a query is lost: it can't tell whose answer comes next.
  const Connection left = connect(where);
  auto cancelled = ta::spawn({.stack_size = 256 * 1024}, [&] {
    const std::string answer = ask(left, "select 1 from pg_sleep(60)");
    std::printf("the query that was cancelled: %s\n", answer.c_str());
  });
  ta::delay(50ms);
  cancelled.cancel();
  ta::await(cancelled);
  std::printf("the next one on its connection: %s\n", ask(left, "select 41").c_str());
  const Connection connection = connect(where);
  std::printf("a query afterwards: %s\n", ask(connection, "select 42").c_str());
}

}  // namespace

int main(int count, char** arguments) {
  const char* variable = std::getenv("TRUEASYNC_PGSQL_CONNINFO");
  const std::string where = count > 1 ? arguments[1] : variable ? variable : "";
  if (where.empty()) {
    std::printf("no server: say where it is, as in \"host=localhost dbname=postgres\"\n");
    return 0;
  }
  return ta::run([&] {
    ta::blocking::enable({"libpq"});
    show(where);
    ta::blocking::disable();
  });
}
