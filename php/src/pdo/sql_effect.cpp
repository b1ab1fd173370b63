#include "pdo/sql_effect.hpp"

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

class Look {
 public:
  Look(std::string_view sql, Driver driver) noexcept : sql_(sql), driver_(driver) {}

  SqlEffect run() noexcept {
    while (effect_ != SqlEffect::touches && at_ < sql_.size()) step();
    return effect_;
  }

 private:
  char peek(std::size_t ahead = 0) const noexcept { return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0'; }
  void touch() noexcept { effect_ = SqlEffect::touches; }
  void write() noexcept {
    if (!is_defined_) effect_ = std::max(effect_, SqlEffect::writes);
  }

  void step() noexcept {
    const char c = peek();
    if (is_space(c)) {
      ++at_;
    } else if (is_word(c)) {
      word();
    } else if (c == '\'' || c == '"' || c == '`') {
      quoted(c);
    } else if (c == '-' && peek(1) == '-') {
      at_ = std::min(sql_.find('\n', at_), sql_.size());
    } else if (c == '/' && peek(1) == '*') {
      comment();
    } else if (c == ';') {
      begins_ = true;
      previous_ = {};
      ++at_;
    } else {
      sign(c);
    }
  }

  void sign(char c) noexcept {
    const bool is_mysql = driver_ == Driver::mysql;
    const bool is_variable = is_mysql && (c == '@' || c == '#');
    const bool is_dollar_quote = c == '$' && !(peek(1) >= '0' && peek(1) <= '9');
    if (is_variable || is_dollar_quote || (c == ':' && peek(1) == '=') || c == '\\') return touch();
    ++at_;
  }

  // MySQL runs what stands in /*! … */.
  void comment() noexcept {
    if (peek(2) == '!' || peek(2) == 'M') return touch();
    const std::size_t end = sql_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? sql_.size() : end + 2;
  }

  // Whether a backslash quotes depends on the session: who uses one pays for it.
  void quoted(char mark) noexcept {
    for (++at_; at_ < sql_.size(); ++at_) {
      if (sql_[at_] == '\\' && mark == '\'') return touch();
      if (sql_[at_] != mark) continue;
      if (peek(1) != mark) break;
      ++at_;
    }
    ++at_;
    previous_ = "into";  // a name, or a value: neither is a function, whatever follows
    if (mark != '\'' && begins_) touch();
  }

  void word() noexcept {
    const std::size_t begin = at_;
    while (at_ < sql_.size() && is_word(sql_[at_])) ++at_;
    char lower[24];
    const std::size_t length = std::min(at_ - begin, sizeof(lower));
    std::transform(sql_.begin() + begin, sql_.begin() + begin + length, lower,
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    take(std::string_view(lower, length));
  }

  void take(std::string_view word) noexcept {
    const bool follows_into = previous_ == "into" || previous_ == "table" || previous_ == "with";
    if (begins_) return first(word);
    if (is_defining_) {
      is_defining_ = word == "or" || word == "replace";
      if (is_defining_) return;
      return is_in(kDefined, word) ? name_follows(word) : touch();
    }
    if (is_in(kWriting, word) && word != "replace") write();
    if (word == "into" && effect_ == SqlEffect::reads) return touch();
    name_follows(word);
    std::size_t next = at_;
    while (next < sql_.size() && is_space(sql_[next])) ++next;
    const bool is_call = next < sql_.size() && sql_[next] == '(';
    if (is_call && !follows_into && !is_defined_ && !is_in(kHarmless, word)) touch();
  }

  void first(std::string_view word) noexcept {
    begins_ = false;
    is_defined_ = false;
    if (is_in(kWriting, word)) {
      write();
    } else if (is_in(kDefining, word)) {
      is_defining_ = is_defined_ = true;
    } else if (!is_in(kReading, word)) {
      touch();
    }
    name_follows(word);
  }

  void name_follows(std::string_view word) noexcept {
    previous_ = word == "into" ? "into" : word == "table" ? "table" : word == "with" ? "with" : "";
  }

  std::string_view sql_;
  Driver driver_;
  std::size_t at_ = 0;
  SqlEffect effect_ = SqlEffect::reads;
  bool begins_ = true;        // a statement does
  bool is_defining_ = false;  // the word after CREATE comes
  bool is_defined_ = false;   // what stands before '(' are names of tables and types
  std::string_view previous_;
};

}  // namespace

SqlEffect effect_of(std::string_view sql, Driver driver) noexcept { return Look(sql, driver).run(); }

}  // namespace trueasync::php::pdo
