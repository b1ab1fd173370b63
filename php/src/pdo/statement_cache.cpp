#include "pdo/statement_cache.hpp"

namespace trueasync::php::pdo {

namespace {

std::string_view view(const zend_string* text) noexcept { return {ZSTR_VAL(text), ZSTR_LEN(text)}; }

}  // namespace

bool StatementCache::take(zend_string* text, DriverStatement& part) {
  const auto found = by_text_.find(view(text));
  if (found == by_text_.end()) return false;
  part = *found->second;
  parts_.erase(found->second);
  by_text_.erase(found);
  return true;
}

void StatementCache::keep(const DriverStatement& part, zend_object* connection) {
  parts_.push_front(part);
  by_text_.emplace(view(part.text), parts_.begin());
  if (parts_.size() <= limit_) return;
  const DriverStatement oldest = parts_.back();
  const auto [first, last] = by_text_.equal_range(view(oldest.text));
  for (auto at = first; at != last; ++at) {
    if (at->second->data != oldest.data) continue;
    by_text_.erase(at);
    break;
  }
  parts_.pop_back();
  destroy(oldest, *php_pdo_dbh_fetch_inner(connection), connection);
}

void StatementCache::clear(pdo_dbh_t& dbh) noexcept {
  by_text_.clear();
  while (!parts_.empty()) {
    const DriverStatement part = parts_.front();
    parts_.pop_front();
    destroy(part, dbh, nullptr);
  }
}

LiveStatement* StatementCache::find(const pdo_stmt_t* statement) noexcept {
  const auto found = live_.find(statement);
  return found == live_.end() ? nullptr : &found->second;
}

bool StatementCache::forget(const pdo_stmt_t* statement, LiveStatement& live) noexcept {
  const auto found = live_.find(statement);
  if (found == live_.end()) return false;
  live = found->second;
  live_.erase(found);
  return true;
}

void StatementCache::destroy(DriverStatement part, pdo_dbh_t& dbh, zend_object* connection) noexcept {
  pdo_stmt_t stand_in{};
  stand_in.methods = part.methods;
  stand_in.driver_data = part.data;
  stand_in.dbh = &dbh;
  stand_in.query_string = part.text;
  stand_in.supports_placeholders = part.placeholders;
  if (connection) {
    ZVAL_OBJ(&stand_in.database_object_handle, connection);
  } else {
    ZVAL_UNDEF(&stand_in.database_object_handle);
  }
  part.methods->dtor(&stand_in);
  zend_string_release(part.text);
}

}  // namespace trueasync::php::pdo
