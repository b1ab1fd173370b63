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

constexpr std::size_t kLongest = 24;  // no word that we know is longer

class Look {
 public:
  Look(std::string_view sql, Driver driver) noexcept : sql_(sql), driver_(driver) {}

  SqlAnalysis run() noexcept {
    while (at_ < sql_.size()) step();
    return {effect_, question_};
  }

 private:
  char at(std::size_t place) const noexcept { return place < sql_.size() ? sql_[place] : '\0'; }
  char peek(std::size_t ahead = 0) const noexcept { return at(at_ + ahead); }
  bool is_mysql() const noexcept { return driver_ == Driver::mysql; }
  void touch() noexcept { effect_ = SqlEffect::modifies_session; }
  void leave(SqlEffect effect) noexcept { effect_ = std::max(effect_, effect); }
  // Where the text ends and where code begins depends on what we do not know.
  void give_up() noexcept {
    touch();
    at_ = sql_.size();
  }
  // An earlier statement of the same text is one of the same connection.
  void ask(SessionQuery question) noexcept {
    const bool is_answered = question == SessionQuery::last_insert  ? before_ >= SqlEffect::inserts
                             : question == SessionQuery::last_write ? before_ >= SqlEffect::writes
                                                                    : !is_first_;
    if (!is_answered) question_ = std::max(question_, question);
  }

  void step() noexcept {
    const char c = peek();
    if (is_space(c)) {
      ++at_;
    } else if (is_word(c)) {
      word();
    } else if (c == '\'' || c == '"' || c == '`') {
      quoted(c);
    } else if (is_line_comment(at_)) {
      at_ = std::min(sql_.find('\n', at_), sql_.size());
    } else if (c == '/' && peek(1) == '*') {
      comment();
    } else if (c == ';') {
      end_statement();
    } else {
      sign(c);
    }
  }

  void end_statement() noexcept {
    before_ = effect_;
    begins_ = true;
    is_first_ = is_name_ = is_inserting_ = is_showing_ = false;
    ++at_;
  }

  void sign(char c) noexcept {
    is_name_ = is_inserting_ = false;
    if (is_mysql() && c == '@') return variable();
    const bool is_dollar_quote = c == '$' && !(peek(1) >= '0' && peek(1) <= '9');
    const bool is_bracket_quote = c == '[' && driver_ == Driver::sqlite;
    if (is_dollar_quote || is_bracket_quote || c == '\\' || (is_mysql() && c == '#')) return give_up();
    if (c == ':' && peek(1) == '=') touch();
    ++at_;
  }

  void variable() noexcept {
    touch();
    const bool is_system = peek(1) == '@';
    at_ += is_system ? 2 : 1;
    char buffer[kLongest];
    std::string_view name = take_word(buffer);
    if (name.starts_with("session.")) name.remove_prefix(8);
    if (is_system) ask(question_of(name));
  }

  // MySQL subtracts a negative number unless a space follows.
  bool is_line_comment(std::size_t place) const noexcept {
    if (at(place) != '-' || at(place + 1) != '-') return false;
    return !is_mysql() || place + 2 >= sql_.size() || static_cast<unsigned char>(at(place + 2)) <= ' ';
  }

  // MySQL runs what stands in /*! … */; with PostgreSQL they nest.
  void comment() noexcept {
    const std::size_t end = sql_.find("*/", at_ + 2);
    const bool is_nested = sql_.find("/*", at_ + 2) < end && driver_ == Driver::pgsql;
    if (peek(2) == '!' || peek(2) == 'M' || is_nested) return give_up();
    at_ = end == std::string_view::npos ? sql_.size() : end + 2;
  }

  // Where the next sign stands that is neither space nor comment.
  std::size_t next_sign(std::size_t place) const noexcept {
    for (;;) {
      if (is_space(at(place))) {
        ++place;
      } else if (is_line_comment(place)) {
        place = std::min(sql_.find('\n', place), sql_.size());
      } else if (at(place) == '/' && at(place + 1) == '*') {
        place = std::min(sql_.find("*/", place + 2), sql_.size() - 2) + 2;
      } else {
        return place;
      }
    }
  }

  // Whether a backslash quotes depends on the session: who uses one pays for it.
  void quoted(char mark) noexcept {
    const bool may_escape = mark == '\'' || (mark == '"' && is_mysql());
    const std::size_t begin = at_ + 1;
    for (++at_; at_ < sql_.size(); ++at_) {
      if (sql_[at_] == '\\' && may_escape) return give_up();
      if (sql_[at_] != mark) continue;
      if (peek(1) != mark) break;
      ++at_;
    }
    const std::string_view text = sql_.substr(begin, at_ - begin);
    ++at_;
    is_inserting_ = false;
    if (mark == '\'') {
      is_name_ = false;
    } else {
      quoted_name(text);
    }
  }

  // As a function none is known: upper case, say, is another one.
  void quoted_name(std::string_view name) noexcept {
    if (begins_) return first({});
    if (is_definition_ && is_temporary(name)) touch();
    if (at(next_sign(at_)) == '(' && !is_name_ && !is_defined_) {
      ask(question_of(name));
      touch();
    }
    if (peek() != '.') is_name_ = false;
  }

  std::string_view take_word(char (&buffer)[kLongest]) noexcept {
    const std::size_t begin = at_;
    while (at_ < sql_.size() && is_word(sql_[at_])) ++at_;
    const std::size_t length = std::min(at_ - begin, kLongest);
    std::transform(sql_.begin() + begin, sql_.begin() + begin + length, buffer,
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return {buffer, length};
  }

  void word() noexcept {
    char buffer[kLongest];
    const std::string_view word = take_word(buffer);
    if (begins_) return first(word);
    if (word == ".") return;  // between two that are quoted
    if (is_defining_) return define(word);
    if (is_definition_ && is_temporary(word)) touch();
    if (is_in(kWriting, word) && word != "replace" && !is_defined_ && !is_locking_) leave(effect_of(word));
    is_locking_ = word == "for" || (is_locking_ && (word == "no" || word == "key"));
    if (word == "into" && !is_inserting_) touch();
    if (word == "sql_calc_found_rows") leave(SqlEffect::sets_found_rows);
    if (is_in(kQuerying, word)) is_defined_ = false;
    if (is_showing_ && is_in(kOfLastStatement, word)) ask(SessionQuery::last_statement);
    is_showing_ = is_showing_ && word == "count";  // SHOW COUNT(*) WARNINGS; others may name a table so
    if (at(next_sign(at_)) == '(' && !is_name_ && !is_defined_) call(word);
    is_inserting_ = is_in(kInserting, word) && (is_inserting_ || is_in(kWriting, word));
    is_name_ = is_in(kNaming, word) || (is_name_ && word.ends_with('.'));
  }

  void call(std::string_view function) noexcept {
    const SessionQuery question = question_of(function);
    const bool is_empty = at(next_sign(next_sign(at_) + 1)) == ')';
    if (function == "last_insert_id" && is_mysql() && !is_empty) {
      leave(SqlEffect::inserts);  // that is how it is set
    } else if (question != SessionQuery::none) {
      ask(question);
    } else if (!is_in(kHarmless, function)) {
      touch();
    }
  }

  // The name of another one's function may be the same: it is one that we do not know.
  SessionQuery question_of(std::string_view name) const noexcept {
    const bool is_sqlites = name == "changes" || name == "last_insert_rowid";
    const bool is_postgres = name == "currval" || name == "lastval";
    const Driver whose = is_sqlites ? Driver::sqlite : is_postgres ? Driver::pgsql : Driver::mysql;
    if (whose != driver_) return SessionQuery::none;
    if (name == "changes") return SessionQuery::last_write;
    if (is_in(kOfLastInsert, name)) return SessionQuery::last_insert;
    return is_in(kOfLastStatement, name) ? SessionQuery::last_statement : SessionQuery::none;
  }

  static SqlEffect effect_of(std::string_view writing) noexcept {
    return writing == "delete" || writing == "update" ? SqlEffect::writes : SqlEffect::inserts;
  }

  void first(std::string_view word) noexcept {
    begins_ = false;
    is_definition_ = is_defining_ = is_in(kDefining, word);
    is_defined_ = is_defining_ && word != "alter";  // which may compute what it adds
    is_showing_ = is_mysql() && word == "show";
    is_inserting_ = is_in(kInserting, word) && is_in(kWriting, word);
    is_name_ = is_in(kNaming, word);
    if (is_mysql() && word == "get") ask(SessionQuery::last_statement);  // GET DIAGNOSTICS
    if (is_in(kWriting, word)) {
      leave(effect_of(word));
    } else if (!is_defining_ && !is_in(kReading, word)) {
      touch();
    }
  }

  // The word after CREATE. MySQL's session is in a database, which may be the one.
  void define(std::string_view word) noexcept {
    is_defining_ = word == "or" || word == "replace";
    if (is_defining_) return;
    const bool is_database = word == "database" || word == "schema";
    if (!is_in(kDefined, word) || (is_mysql() && is_database)) touch();
    is_name_ = is_in(kNaming, word);
  }

  // Of a schema that is the session's own: pg_temp.x, temp.x.
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
  std::size_t at_ = 0;
  SqlEffect effect_ = SqlEffect::reads;
  SqlEffect before_ = SqlEffect::reads;  // that of the statements before, in the same text
  SessionQuery question_ = SessionQuery::none;
  bool is_first_ = true;        // of the statements
  bool begins_ = true;          // a statement does
  bool is_defining_ = false;    // the word after CREATE comes
  bool is_definition_ = false;  // the statement is one
  bool is_defined_ = false;     // what stands before '(' are names of tables and types
  bool is_inserting_ = false;   // INTO may come
  bool is_showing_ = false;     // SHOW
  bool is_locking_ = false;     // FOR UPDATE
  bool is_name_ = false;        // what comes is no function
};

}  // namespace

SqlAnalysis analyze_sql(std::string_view sql, Driver driver) noexcept { return Look(sql, driver).run(); }

}  // namespace trueasync::php::pdo
