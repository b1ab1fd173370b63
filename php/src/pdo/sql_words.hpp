// SQL keywords and functions that decide the result of analyze_sql(). All lists are sorted for binary search.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace trueasync::php::pdo {

// clang-format off
// Words before '(' that do not change the session. Any other word there is an unknown function.
inline constexpr auto kSafeBeforeParenthesis = std::to_array<std::string_view>({
    "abs", "all", "and", "any", "array", "array_agg", "as", "avg", "between", "by", "case", "cast", "ceil",
    "ceiling", "char", "char_length", "coalesce", "concat", "concat_ws", "conflict", "connection_id",
    "convert", "count", "current_database", "current_date", "current_setting", "current_time", "current_timestamp",
    "current_user", "database", "date", "date_add", "date_format", "date_part", "date_sub", "date_trunc", "datediff",
    "datetime", "decimal", "dense_rank", "distinct", "else", "except", "exists", "extract", "filter", "first_value",
    "floor", "format", "from", "gen_random_uuid", "generate_series", "greatest", "group_concat",
    "having", "hex", "if", "ifnull", "iif", "in", "index", "instr", "int", "intersect", "json", "json_agg",
    "json_array", "json_build_array", "json_build_object", "json_extract", "json_object", "json_object_agg",
    "jsonb_agg", "jsonb_build_object", "julianday", "key", "lag", 
    "last_value", "lead", "least", "left", "length", "like", "limit", "lower", "lpad", "ltrim", "max", "md5", "min",
    "mod", "not", "now", "nullif", "numeric", "offset", "on", "or", "over", "partition", "pg_backend_pid",
    "pg_sleep", "position", "power", "quote", "rand", "random", "rank", "replace", "returning", "right", "round",
    "row", "row_number", "row_to_json", "rpad", "rtrim", "select", "sha1", "sha2", "sign", "sleep",
    "some", "split_part", "sqlite_version", "sqrt", "strftime", "string_agg", "strpos", "substr", "substring", "sum",
    "then", "time", "timestamp", "to_char", "to_date", "to_json", "to_jsonb", "to_number", "to_timestamp", "total",
    "trim", "typeof", "unhex", "union", "unix_timestamp", "unnest", "upper", "using", "uuid", "values", "varchar",
    "version", "when", "where", "with", "within",
});
// clang-format on
static_assert(std::is_sorted(kSafeBeforeParenthesis.begin(), kSafeBeforeParenthesis.end()));

inline constexpr auto kReadKeywords =
    std::to_array<std::string_view>({"abort", "begin", "commit", "desc", "describe", "end", "explain", "release",
                                     "rollback", "savepoint", "select", "show", "start", "table", "values", "with"});
inline constexpr auto kWriteKeywords =
    std::to_array<std::string_view>({"delete", "insert", "merge", "replace", "update"});
// Words that may precede INTO in an INSERT, MERGE or REPLACE.
inline constexpr auto kBeforeInto =
    std::to_array<std::string_view>({"abort", "delayed", "fail", "high_priority", "ignore", "insert", "low_priority",
                                     "merge", "or", "replace", "rollback"});
inline constexpr auto kDefinitionKeywords = std::to_array<std::string_view>({"alter", "create", "drop"});
// Objects whose definition does not change the session. CREATE TEMPORARY does, so TEMPORARY is not in the list.
inline constexpr auto kPermanentObjects = std::to_array<std::string_view>(
    {"database", "index", "materialized", "schema", "sequence", "table", "type", "unique", "view"});

// Words after which a definition continues as a query.
inline constexpr auto kQueryKeywords = std::to_array<std::string_view>({"execute", "select", "values", "with"});
// Words before a name that may precede '('.
inline constexpr auto kBeforeName = std::to_array<std::string_view>({"into", "recursive", "table", "with"});
// Functions and MySQL variables whose value depends on an earlier statement.
inline constexpr auto kLastInsertFunctions =
    std::to_array<std::string_view>({"currval", "identity", "last_insert_id", "last_insert_rowid", "lastval"});
inline constexpr auto kLastStatementFunctions =
    std::to_array<std::string_view>({"error_count", "errors", "found_rows", "row_count", "warning_count", "warnings"});

template <class List>
bool contains(const List& list, std::string_view word) noexcept {
  return std::binary_search(list.begin(), list.end(), word);
}

}  // namespace trueasync::php::pdo
