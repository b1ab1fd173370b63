#include "pdo/sql_analysis.hpp"

#include <algorithm>

#include "pdo/sql_words.hpp"

namespace trueasync::php::pdo {

namespace {

bool is_word(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_' ||
         byte == '.' || byte >= 0x80;
}

bool is_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

constexpr std::size_t kMaxWordLength = 24;  // longer words are truncated; no word of the lists is longer

class SqlScanner {
 public:
  SqlScanner(std::string_view sql, Driver driver) noexcept : sql_(sql), driver_(driver) {}

  SqlAnalysis run() noexcept {
    while (position_ < sql_.size()) scan_token();
    return {effect_, query_};
  }

 private:
  char char_at(std::size_t position) const noexcept { return position < sql_.size() ? sql_[position] : '\0'; }
  char peek(std::size_t ahead = 0) const noexcept { return char_at(position_ + ahead); }
  bool is_mysql() const noexcept { return driver_ == Driver::mysql; }
  void set_modifies_session() noexcept { effect_ = SqlEffect::modifies_session; }
  void add_effect(SqlEffect effect) noexcept { effect_ = std::max(effect_, effect); }
  // For quoting that depends on unknown settings of the session: the rest of the text may be code or data.
  void stop_scan() noexcept {
    set_modifies_session();
    position_ = sql_.size();
  }
  // An earlier statement of the same text runs on the same connection and may answer the query.
  void add_query(SessionQuery query) noexcept {
    const bool is_answered = query == SessionQuery::last_insert  ? previous_effect_ >= SqlEffect::inserts
                             : query == SessionQuery::last_write ? previous_effect_ >= SqlEffect::writes
                                                                 : !is_first_statement_;
    if (!is_answered) query_ = std::max(query_, query);
  }

  void scan_token() noexcept {
    const char c = peek();
    if (is_space(c)) {
      ++position_;
    } else if (is_word(c)) {
      scan_word();
    } else if (c == '\'' || c == '"' || c == '`') {
      scan_quoted(c);
    } else if (is_line_comment(position_)) {
      position_ = std::min(sql_.find('\n', position_), sql_.size());
    } else if (c == '/' && peek(1) == '*') {
      scan_comment();
    } else if (c == ';') {
      end_statement();
    } else {
      scan_symbol(c);
    }
  }

  void end_statement() noexcept {
    previous_effect_ = effect_;
    at_statement_start_ = true;
    is_first_statement_ = expects_name_ = may_precede_into_ = in_show_ = false;
    ++position_;
  }

  void scan_symbol(char c) noexcept {
    expects_name_ = may_precede_into_ = false;
    if (is_mysql() && c == '@') return scan_variable();
    const bool is_dollar_quote = c == '$' && !(peek(1) >= '0' && peek(1) <= '9');
    const bool is_bracket_quote = c == '[' && driver_ == Driver::sqlite;
    if (is_dollar_quote || is_bracket_quote || c == '\\' || (is_mysql() && c == '#')) return stop_scan();
    if (c == ':' && peek(1) == '=') set_modifies_session();
    ++position_;
  }

  void scan_variable() noexcept {
    set_modifies_session();
    const bool is_system = peek(1) == '@';
    position_ += is_system ? 2 : 1;
    char buffer[kMaxWordLength];
    std::string_view name = take_word(buffer);
    if (name.starts_with("session.")) name.remove_prefix(8);
    if (is_system) add_query(find_query(name));
  }

  // In MySQL, "--" without a following space is a subtraction of a negative number.
  bool is_line_comment(std::size_t position) const noexcept {
    if (char_at(position) != '-' || char_at(position + 1) != '-') return false;
    return !is_mysql() || position + 2 >= sql_.size() || static_cast<unsigned char>(char_at(position + 2)) <= ' ';
  }

  // MySQL executes the content of /*! … */ and MariaDB that of /*M! … */. PostgreSQL nests comments.
  void scan_comment() noexcept {
    const std::size_t end = sql_.find("*/", position_ + 2);
    const bool is_nested = sql_.find("/*", position_ + 2) < end && driver_ == Driver::pgsql;
    if (peek(2) == '!' || peek(2) == 'M' || is_nested) return stop_scan();
    position_ = end == std::string_view::npos ? sql_.size() : end + 2;
  }

  // The position of the next character that belongs to neither space nor comment.
  std::size_t skip_blanks(std::size_t position) const noexcept {
    for (;;) {
      if (is_space(char_at(position))) {
        ++position;
      } else if (is_line_comment(position)) {
        position = std::min(sql_.find('\n', position), sql_.size());
      } else if (char_at(position) == '/' && char_at(position + 1) == '*') {
        position = std::min(sql_.find("*/", position + 2), sql_.size() - 2) + 2;
      } else {
        return position;
      }
    }
  }

  // Whether a backslash escapes depends on the settings of the session.
  void scan_quoted(char mark) noexcept {
    const bool may_escape = mark == '\'' || (mark == '"' && is_mysql());
    const std::size_t begin = position_ + 1;
    for (++position_; position_ < sql_.size(); ++position_) {
      if (sql_[position_] == '\\' && may_escape) return stop_scan();
      if (sql_[position_] != mark) continue;
      if (peek(1) != mark) break;
      ++position_;
    }
    const std::string_view text = sql_.substr(begin, position_ - begin);
    ++position_;
    may_precede_into_ = false;
    if (mark == '\'') {
      expects_name_ = false;
    } else {
      scan_quoted_name(text);
    }
  }

  // A quoted function name is case-sensitive, so it is never one of the known safe functions.
  void scan_quoted_name(std::string_view name) noexcept {
    if (at_statement_start_) return begin_statement({});
    if (is_definition_ && is_temporary(name)) set_modifies_session();
    if (char_at(skip_blanks(position_)) == '(' && !expects_name_ && !in_definition_) {
      add_query(find_query(name));
      set_modifies_session();
    }
    if (peek() != '.') expects_name_ = false;
  }

  std::string_view take_word(char (&buffer)[kMaxWordLength]) noexcept {
    const std::size_t begin = position_;
    while (position_ < sql_.size() && is_word(sql_[position_])) ++position_;
    const std::size_t length = std::min(position_ - begin, kMaxWordLength);
    std::transform(sql_.begin() + begin, sql_.begin() + begin + length, buffer,
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return {buffer, length};
  }

  void scan_word() noexcept {
    char buffer[kMaxWordLength];
    const std::string_view word = take_word(buffer);
    if (at_statement_start_) return begin_statement(word);
    if (word == ".") return;  // between two quoted names
    if (expects_definition_kind_) return scan_definition_kind(word);
    if (is_definition_ && is_temporary(word)) set_modifies_session();
    if (contains(kWriteKeywords, word) && word != "replace" && !in_definition_ && !in_lock_clause_) {
      add_effect(to_effect(word));
    }
    in_lock_clause_ = word == "for" || (in_lock_clause_ && (word == "no" || word == "key"));
    if (word == "into" && !may_precede_into_) set_modifies_session();  // SELECT … INTO
    if (word == "sql_calc_found_rows") add_effect(SqlEffect::sets_found_rows);
    if (contains(kQueryKeywords, word)) in_definition_ = false;
    if (in_show_ && contains(kLastStatementFunctions, word)) add_query(SessionQuery::last_statement);
    in_show_ = in_show_ && word == "count";  // SHOW COUNT(*) WARNINGS; any other word may precede a table name
    if (char_at(skip_blanks(position_)) == '(' && !expects_name_ && !in_definition_) scan_call(word);
    may_precede_into_ = contains(kBeforeInto, word) && (may_precede_into_ || contains(kWriteKeywords, word));
    expects_name_ = contains(kBeforeName, word) || (expects_name_ && word.ends_with('.'));
  }

  void scan_call(std::string_view function) noexcept {
    const SessionQuery query = find_query(function);
    const bool has_no_arguments = char_at(skip_blanks(skip_blanks(position_) + 1)) == ')';
    if (function == "last_insert_id" && is_mysql() && !has_no_arguments) {
      add_effect(SqlEffect::inserts);  // LAST_INSERT_ID(x) sets the id
    } else if (query != SessionQuery::none) {
      add_query(query);
    } else if (!contains(kSafeBeforeParenthesis, function)) {
      set_modifies_session();
    }
  }

  // A function of another database may have the same name: it is an unknown function.
  SessionQuery find_query(std::string_view name) const noexcept {
    const bool is_sqlite = name == "changes" || name == "last_insert_rowid";
    const bool is_pgsql = name == "currval" || name == "lastval";
    const Driver function_driver = is_sqlite ? Driver::sqlite : is_pgsql ? Driver::pgsql : Driver::mysql;
    if (function_driver != driver_) return SessionQuery::none;
    if (name == "changes") return SessionQuery::last_write;
    if (contains(kLastInsertFunctions, name)) return SessionQuery::last_insert;
    return contains(kLastStatementFunctions, name) ? SessionQuery::last_statement : SessionQuery::none;
  }

  static SqlEffect to_effect(std::string_view write_keyword) noexcept {
    return write_keyword == "delete" || write_keyword == "update" ? SqlEffect::writes : SqlEffect::inserts;
  }

  void begin_statement(std::string_view word) noexcept {
    at_statement_start_ = false;
    is_definition_ = expects_definition_kind_ = contains(kDefinitionKeywords, word);
    in_definition_ = is_definition_ && word != "alter";  // ALTER may call functions, for a default value
    in_show_ = is_mysql() && word == "show";
    may_precede_into_ = contains(kBeforeInto, word) && contains(kWriteKeywords, word);
    expects_name_ = contains(kBeforeName, word);
    if (is_mysql() && word == "get") add_query(SessionQuery::last_statement);  // GET DIAGNOSTICS
    if (contains(kWriteKeywords, word)) {
      add_effect(to_effect(word));
    } else if (!is_definition_ && !contains(kReadKeywords, word)) {
      set_modifies_session();
    }
  }

  // A definition of the current database changes a MySQL session.
  void scan_definition_kind(std::string_view word) noexcept {
    expects_definition_kind_ = word == "or" || word == "replace";
    if (expects_definition_kind_) return;
    const bool is_database = word == "database" || word == "schema";
    if (!contains(kPermanentObjects, word) || (is_mysql() && is_database)) set_modifies_session();
    expects_name_ = contains(kBeforeName, word);
  }

  // Whether the name is in the schema of temporary objects: pg_temp.x, temp.x.
  bool is_temporary(std::string_view name) const noexcept {
    const auto begins_with = [&](std::string_view schema) {
      return name.size() >= schema.size() && std::equal(schema.begin(), schema.end(), name.begin(), [](char a, char b) {
               return a == (b >= 'A' && b <= 'Z' ? b + 32 : b);
             });
    };
    if (driver_ == Driver::pgsql) return begins_with("pg_temp");
    return driver_ == Driver::sqlite && begins_with("temp") && (name.size() == 4 || name[4] == '.');
  }

  std::string_view sql_;
  Driver driver_;
  std::size_t position_ = 0;
  SqlEffect effect_ = SqlEffect::reads;
  SqlEffect previous_effect_ = SqlEffect::reads;  // of the earlier statements of the text
  SessionQuery query_ = SessionQuery::none;
  bool is_first_statement_ = true;
  bool at_statement_start_ = true;
  bool is_definition_ = false;            // the statement is CREATE, ALTER or DROP
  bool expects_definition_kind_ = false;  // the next word is the kind of object: TABLE, INDEX …
  bool in_definition_ = false;            // words before '(' are names of tables and types, not functions
  bool may_precede_into_ = false;         // the last word may precede INTO in an INSERT
  bool in_show_ = false;                  // MySQL: after SHOW
  bool in_lock_clause_ = false;           // after FOR, as in FOR NO KEY UPDATE
  bool expects_name_ = false;             // the next word is a name, not a function
};

}  // namespace

SqlAnalysis analyze_sql(std::string_view sql, Driver driver) noexcept { return SqlScanner(sql, driver).run(); }

}  // namespace trueasync::php::pdo
