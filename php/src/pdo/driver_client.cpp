#include "pdo/driver_client.hpp"

#include <dlfcn.h>
#include <poll.h>

#include <algorithm>
#include <array>

extern "C" {
#include "ext/mysqlnd/mysqlnd.h"
#include "ext/mysqlnd/mysqlnd_structs.h"
}

namespace trueasync::php::pdo {

namespace {

// Functions of libpq and libsqlite3; null if the library is not loaded.
struct ClientFunctions {
  int (*pq_status)(const void* connection) = nullptr;  // 0: connected
  int (*pq_socket)(const void* connection) = nullptr;
  int (*pq_transaction)(const void* connection) = nullptr;  // 0: idle, 1: a command is in flight, 4: lost
  int (*sqlite_autocommit)(void* database) = nullptr;
};

template <class F>
void find(F*& function, const char* name) noexcept {
  if (!function) function = reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
}

ClientFunctions client_functions;

void find_client_functions() noexcept {
  find(client_functions.pq_status, "PQstatus");
  find(client_functions.pq_socket, "PQsocket");
  find(client_functions.pq_transaction, "PQtransactionStatus");
  find(client_functions.sqlite_autocommit, "sqlite3_get_autocommit");
}

constexpr int kPqActive = 1;
constexpr int kPqUnknown = 4;

// MySQL error numbers: server shutdown, connection killed, cannot connect, server closed the connection, lost during a
// query, lost with a system error, closed after the idle timeout.
constexpr auto kMysqlConnectionErrors = std::to_array<zend_long>({1053, 1927, 2002, 2006, 2013, 2055, 4031});

mysqlnd_connection_state state_of(const MYSQLND_CONN_DATA& connection) noexcept {
  return connection.state.m->get(&connection.state);
}

bool is_ready(const MYSQLND_CONN_DATA& connection) noexcept { return state_of(connection) == CONN_READY; }

MYSQLND_CONN_DATA* mysqlnd(void* handle) noexcept { return handle ? static_cast<MYSQLND*>(handle)->data : nullptr; }

bool uses_mysqlnd(pdo_dbh_t& dbh, const pdo_dbh_methods& methods) noexcept {
  zval version;
  ZVAL_UNDEF(&version);
  if (!methods.get_attribute || methods.get_attribute(&dbh, PDO_ATTR_CLIENT_VERSION, &version) <= 0) return false;
  const bool is_mysqlnd = Z_TYPE(version) == IS_STRING && std::strncmp(Z_STRVAL(version), "mysqlnd", 7) == 0;
  zval_ptr_dtor(&version);
  return is_mysqlnd;
}

}  // namespace

DriverClient::DriverClient(Driver driver, pdo_dbh_t& dbh, const pdo_dbh_methods& methods) noexcept
    : driver_(driver), dbh_(&dbh), methods_(&methods) {
  find_client_functions();
  is_mysqlnd_ = driver == Driver::mysql && uses_mysqlnd(dbh, methods);
}

bool DriverClient::is_in_transaction() const noexcept {
  if (driver_ == Driver::sqlite && client_functions.sqlite_autocommit)
    return !client_functions.sqlite_autocommit(handle());
  if (methods_->in_transaction) return methods_->in_transaction(dbh_);
  return dbh_->in_txn;
}

bool DriverClient::is_idle() const noexcept {
  if (driver_ == Driver::pgsql && client_functions.pq_status && client_functions.pq_transaction) {
    const int state = client_functions.pq_transaction(handle());
    return client_functions.pq_status(handle()) == 0 && state != kPqActive && state != kPqUnknown;
  }
  if (!is_mysqlnd_) return true;
  const MYSQLND_CONN_DATA* connection = mysqlnd(handle());
  return connection && pdo::is_ready(*connection);
}

int DriverClient::socket() const noexcept {
  if (driver_ == Driver::pgsql && client_functions.pq_socket) return client_functions.pq_socket(handle());
  if (!is_mysqlnd_) return -1;
  const MYSQLND_CONN_DATA* connection = mysqlnd(handle());
  php_stream* stream = connection && connection->vio ? connection->vio->data->stream : nullptr;
  int descriptor = -1;
  void** target = reinterpret_cast<void**>(&descriptor);
  const int kind = PHP_STREAM_AS_FD_FOR_SELECT | PHP_STREAM_CAST_INTERNAL;
  return stream && php_stream_cast(stream, kind, target, 0) == SUCCESS ? descriptor : -1;
}

bool DriverClient::has_no_unread_data() const noexcept {
  if (!is_idle()) return false;
  const int descriptor = socket();
  if (descriptor < 0) return true;
  pollfd entry{descriptor, POLLIN, 0};
  return poll(&entry, 1, 0) == 0;
}

zend_long DriverClient::native_error(pdo_stmt_t* statement) const noexcept {
  if (!methods_->fetch_err) return 0;
  zval info;
  array_init(&info);
  methods_->fetch_err(dbh_, statement, &info);
  const zval* code = zend_hash_index_find(Z_ARRVAL(info), 0);
  const zend_long number = code && Z_TYPE_P(code) == IS_LONG ? Z_LVAL_P(code) : 0;
  zval_ptr_dtor(&info);
  return number;
}

// A result set that is still being read (error 2014) is not a loss. After a loss mysqlnd changes the connection's state.
bool DriverClient::is_closed_by_client() const noexcept {
  if (!is_mysqlnd_) return !is_idle();
  const MYSQLND_CONN_DATA* connection = mysqlnd(handle());
  if (!connection) return true;
  const mysqlnd_connection_state state = state_of(*connection);
  return state == CONN_QUIT_SENT || state == CONN_ALLOCED;
}

bool DriverClient::is_lost(pdo_stmt_t* statement) const noexcept {
  if (driver_ == Driver::sqlite) return false;
  if (is_closed_by_client()) return true;
  const char* code = statement && has_error(statement->error_code) ? statement->error_code : dbh_->error_code;
  // SQLSTATE classes: connection exceptions, and PostgreSQL's shutdown of the server.
  const bool is_connection_error = std::strncmp(code, "0800", 4) == 0 || std::strncmp(code, "08S", 3) == 0;
  if (is_connection_error || std::strncmp(code, "57P0", 4) == 0) return true;
  if (driver_ != Driver::mysql) return false;
  const zend_long number = native_error(statement);
  return std::find(kMysqlConnectionErrors.begin(), kMysqlConnectionErrors.end(), number) !=
         kMysqlConnectionErrors.end();
}

bool DriverClient::reset_session() const noexcept {
  if (!is_mysqlnd_) return false;
  MYSQLND_CONN_DATA* connection = mysqlnd(handle());
  if (!connection || !pdo::is_ready(*connection)) return false;
  auto* protocol = connection->payload_decoder_factory;
  const auto send = protocol->m.send_command;
  const auto receive = protocol->m.send_command_handle_response;
  constexpr auto kCommand = COM_RESET_CONNECTION;
  // The server resets the character set to its default; set_charset() restores that of the connection.
  return send(protocol, kCommand, nullptr, 0, true, &connection->state, connection->error_info,
              connection->upsert_status, connection->stats, connection->m->send_close, connection) == PASS &&
         receive(protocol, PROT_OK_PACKET, true, kCommand, true, connection->error_info, connection->upsert_status,
                 &connection->last_message) == PASS &&
         connection->m->set_charset(connection, connection->charset->name) == PASS;
}

std::string DriverClient::database() const noexcept {
  const MYSQLND_CONN_DATA* connection = is_mysqlnd_ ? mysqlnd(handle()) : nullptr;
  if (!connection || !connection->connect_or_select_db.s) return {};
  return {connection->connect_or_select_db.s, connection->connect_or_select_db.l};
}

}  // namespace trueasync::php::pdo
