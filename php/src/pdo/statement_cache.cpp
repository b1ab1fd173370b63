#include "pdo/statement_cache.hpp"

namespace trueasync::php::pdo {

namespace {

std::string_view view(const zend_string* text) noexcept { return {ZSTR_VAL(text), ZSTR_LEN(text)}; }

}  // namespace

bool StatementCache::take(zend_string* text, DriverStatement& statement) {
  const auto found = by_text_.find(view(text));
  if (found == by_text_.end()) return false;
  statement = *found->second;
  unused_.erase(found->second);
  by_text_.erase(found);
  return true;
}

void StatementCache::put(const DriverStatement& statement, zend_object* connection) {
  unused_.push_front(statement);
  by_text_.emplace(view(statement.text), unused_.begin());
  if (unused_.size() <= max_size_) return;
  const DriverStatement oldest = unused_.back();
  const auto [first, last] = by_text_.equal_range(view(oldest.text));
  for (auto entry = first; entry != last; ++entry) {
    if (entry->second->data != oldest.data) continue;
    by_text_.erase(entry);
    break;
  }
  unused_.pop_back();
  destroy(oldest, *php_pdo_dbh_fetch_inner(connection), connection);
}

void StatementCache::clear(pdo_dbh_t& dbh) noexcept {
  by_text_.clear();
  while (!unused_.empty()) {
    const DriverStatement statement = unused_.front();
    unused_.pop_front();
    destroy(statement, dbh, nullptr);
  }
}

LiveStatement* StatementCache::find(const pdo_stmt_t* statement) noexcept {
  const auto found = live_.find(statement);
  return found == live_.end() ? nullptr : &found->second;
}

bool StatementCache::untrack(const pdo_stmt_t* statement, LiveStatement& live) noexcept {
  const auto found = live_.find(statement);
  if (found == live_.end()) return false;
  live = found->second;
  live_.erase(found);
  return true;
}

void StatementCache::destroy(DriverStatement statement, pdo_dbh_t& dbh, zend_object* connection) noexcept {
  pdo_stmt_t temporary{};
  temporary.methods = statement.methods;
  temporary.driver_data = statement.data;
  temporary.dbh = &dbh;
  temporary.query_string = statement.text;
  temporary.supports_placeholders = statement.placeholders;
  if (connection) {
    ZVAL_OBJ(&temporary.database_object_handle, connection);
  } else {
    ZVAL_UNDEF(&temporary.database_object_handle);
  }
  statement.methods->dtor(&temporary);
  zend_string_release(statement.text);
}

}  // namespace trueasync::php::pdo
