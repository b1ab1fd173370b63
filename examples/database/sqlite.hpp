// An in-memory SQLite database, shared by all connections with the same name. SQLite blocks, so its calls run on the
// threads of a pool.
#pragma once

#include <sqlite3.h>

#include <trueasync/threads/thread_pool.hpp>
#include <trueasync/trueasync.hpp>

#include "connection.hpp"

namespace database {

class SqliteConnection final : public Connection {
 public:
  SqliteConnection(const std::string& name, trueasync::ThreadPool& threads) : threads_(threads) {
    const std::string uri = "file:" + name + "?mode=memory&cache=shared";
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
    if (sqlite3_open_v2(uri.c_str(), &handle_, flags, nullptr) == SQLITE_OK) return;
    const std::string message = sqlite3_errmsg(handle_);
    sqlite3_close(handle_);
    throw std::runtime_error("SQLite: " + message);
  }
  ~SqliteConnection() override { sqlite3_close(handle_); }

  std::string value(const std::string& sql) override {
    // protect(): the job uses this connection until it finishes, also if the coroutine is cancelled.
    return trueasync::protect([&] { return trueasync::await(threads_.submit([this, sql] { return step(sql); })); });
  }
  bool is_usable() noexcept override { return true; }

 private:
  std::string step(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
      throw std::runtime_error(std::string("SQLite: ") + sqlite3_errmsg(handle_));
    }
    const int code = sqlite3_step(statement);
    const unsigned char* text = code == SQLITE_ROW ? sqlite3_column_text(statement, 0) : nullptr;
    std::string result = text ? reinterpret_cast<const char*>(text) : "";
    sqlite3_finalize(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
      throw std::runtime_error(std::string("SQLite: ") + sqlite3_errmsg(handle_));
    }
    return result;
  }

  trueasync::ThreadPool& threads_;
  sqlite3* handle_ = nullptr;
};

}  // namespace database
