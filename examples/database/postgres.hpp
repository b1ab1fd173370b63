// PostgreSQL with libpq's non-blocking calls; the coroutine waits for the socket between them.
#pragma once

#include <postgresql/libpq-fe.h>

#include <trueasync/trueasync.hpp>

#include "connection.hpp"

namespace database {

class PostgresConnection final : public Connection {
 public:
  explicit PostgresConnection(const std::string& conninfo) : handle_(PQconnectStart(conninfo.c_str())) {
    if (!handle_) throw std::bad_alloc();
    try {
      connect();
    } catch (...) {
      PQfinish(handle_);
      throw;
    }
  }
  ~PostgresConnection() override { PQfinish(handle_); }

  std::string value(const std::string& sql) override {
    is_idle_ = false;
    if (!PQsendQuery(handle_, sql.c_str())) fail();
    while (const int pending = PQflush(handle_)) {
      if (pending < 0) fail();
      wait(trueasync::Readiness::writable);
    }
    std::string text;
    std::string error;
    while (PGresult* raw = next_result()) {
      const std::unique_ptr<PGresult, void (*)(PGresult*)> result(raw, PQclear);
      const ExecStatusType status = PQresultStatus(raw);
      if (status == PGRES_TUPLES_OK && PQntuples(raw) > 0) text = PQgetvalue(raw, 0, 0);
      if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) error = PQresultErrorMessage(raw);
    }
    is_idle_ = true;
    if (!error.empty()) throw std::runtime_error(error);
    return text;
  }
  // False in the middle of a response, where a cancellation leaves the connection, and in a transaction.
  bool is_usable() noexcept override {
    return is_idle_ && PQstatus(handle_) == CONNECTION_OK && PQtransactionStatus(handle_) == PQTRANS_IDLE;
  }

 private:
  void connect() {
    for (PostgresPollingStatusType state = PGRES_POLLING_WRITING; state != PGRES_POLLING_OK;) {
      if (PQstatus(handle_) == CONNECTION_BAD || state == PGRES_POLLING_FAILED) fail();
      wait(state == PGRES_POLLING_READING ? trueasync::Readiness::readable : trueasync::Readiness::writable);
      state = PQconnectPoll(handle_);
    }
    PQsetnonblocking(handle_, 1);
  }

  PGresult* next_result() {
    while (PQisBusy(handle_)) {
      wait(trueasync::Readiness::readable);
      if (!PQconsumeInput(handle_)) fail();
    }
    return PQgetResult(handle_);
  }

  void wait(trueasync::Readiness interest) { trueasync::poll(PQsocket(handle_), interest); }
  [[noreturn]] void fail() { throw std::runtime_error(PQerrorMessage(handle_)); }

  PGconn* handle_;
  bool is_idle_ = true;
};

}  // namespace database
