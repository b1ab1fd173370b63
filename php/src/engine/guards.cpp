#include "engine/guards.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "engine/in_use.hpp"
#include "engine/runtime.hpp"
#include "engine/stream_close.hpp"
#include "exceptions.hpp"
#include "support/error.hpp"

namespace trueasync::php::engine {

namespace {

enum class Rule {
  closes,   // a stream: others leave it first
  reads,    // fills a stream's buffer: one at a time
  ends,     // frees what its object, or first argument, has
  session,  // there is one session for all
};

struct Guarded {
  const char* owner;  // a class; null: a function
  const char* name;
  Rule rule;
  zif_handler original = nullptr;
};

Guarded guarded[] = {
    {nullptr, "fclose", Rule::closes},
    {nullptr, "pclose", Rule::closes},
    {nullptr, "fgets", Rule::reads},
    {nullptr, "fgetc", Rule::reads},
    {nullptr, "fread", Rule::reads},
    {nullptr, "fgetcsv", Rule::reads},
    {nullptr, "fscanf", Rule::reads},
    {nullptr, "fpassthru", Rule::reads},
    {nullptr, "stream_get_contents", Rule::reads},
    {nullptr, "stream_get_line", Rule::reads},
    {nullptr, "stream_copy_to_stream", Rule::reads},
    {nullptr, "mysqli_close", Rule::ends},
    {nullptr, "mysqli_stmt_close", Rule::ends},
    {"mysqli", "close", Rule::ends},
    {"mysqli_stmt", "close", Rule::ends},
    {"redis", "close", Rule::ends},
    {nullptr, "pg_close", Rule::ends},
    {nullptr, "curl_reset", Rule::ends},
    {nullptr, "session_start", Rule::session},
    {nullptr, "session_write_close", Rule::session},
    {nullptr, "session_commit", Rule::session},
    {nullptr, "session_abort", Rule::session},
    {nullptr, "session_destroy", Rule::session},
    {nullptr, "session_regenerate_id", Rule::session},
};

void refuse(const char* why) {
  raise(exceptions.async, std::string(get_active_function_name()) + "(): another coroutine " + why);
}

// What a call of the rule would touch; null: nothing that others could be in.
zend_refcounted* subject_of(Rule rule, zend_execute_data* frame) noexcept {
  if (rule == Rule::ends && Z_TYPE(frame->This) == IS_OBJECT) return Z_COUNTED(frame->This);
  if (ZEND_CALL_NUM_ARGS(frame) == 0) return nullptr;
  zval* first = ZEND_CALL_ARG(frame, 1);
  const bool is_fitting = Z_TYPE_P(first) == (rule == Rule::ends ? IS_OBJECT : IS_RESOURCE);
  return is_fitting ? Z_COUNTED_P(first) : nullptr;
}

bool is_reading(const zend_execute_data& frame, const void* stream) noexcept;

void read_alone(const Guarded& function, zend_execute_data* execute_data, zval* return_value) {
  zval* first = ZEND_CALL_ARG(execute_data, 1);
  php_stream* stream = ZEND_CALL_NUM_ARGS(execute_data) != 0 ? stream_of(first) : nullptr;
  if (!stream) return function.original(execute_data, return_value);
  if (stream->flags & kBeingRead) {
    // By this coroutine itself, from a filter for instance, is PHP's own affair.
    if (has_other_frame(&is_reading, Z_COUNTED_P(first))) return refuse("is using it; one at a time");
    return function.original(execute_data, return_value);
  }
  stream->flags |= kBeingRead;
  function.original(execute_data, return_value);
  if (php_stream* left = stream_of(first)) left->flags &= ~kBeingRead;
}

bool is_of_session(const zend_execute_data& frame, const void*) noexcept {
  return std::string_view(frame.func->internal_function.module->name) == "session";
}

bool is_free_to_go(Rule rule, zend_execute_data* frame) noexcept {
  if (rule == Rule::session) return !has_other_frame(&is_of_session, nullptr);
  zend_refcounted* subject = subject_of(rule, frame);
  if (!subject) return true;
  if (rule == Rule::closes) return let_others_leave(ZEND_CALL_ARG(frame, 1));
  return !may_be_in_use(subject) || !has_other_frame(&is_given, subject);
}

void run(const Guarded& function, zend_execute_data* execute_data, zval* return_value) {
  if (scheduler && function.rule == Rule::reads) return read_alone(function, execute_data, return_value);
  if (scheduler && !is_free_to_go(function.rule, execute_data)) {
    return refuse(function.rule == Rule::session ? "waits for the session" : "is using it; one at a time");
  }
  function.original(execute_data, return_value);
}

template <std::size_t kIndex>
void guard(zend_execute_data* execute_data, zval* return_value) {
  run(guarded[kIndex], execute_data, return_value);
}

template <std::size_t... kIndices>
constexpr std::array<zif_handler, sizeof...(kIndices)> make_handlers(std::index_sequence<kIndices...>) {
  return {&guard<kIndices>...};
}
constexpr auto kHandlers = make_handlers(std::make_index_sequence<std::size(guarded)>());

bool is_reading(const zend_execute_data& frame, const void* stream) noexcept {
  for (std::size_t i = 0; i < std::size(guarded); ++i) {
    if (guarded[i].rule == Rule::reads && frame.func->internal_function.handler == kHandlers[i]) {
      return is_given(frame, stream);
    }
  }
  return false;
}

zend_internal_function* find(const Guarded& one) noexcept {
  HashTable* functions = CG(function_table);
  if (one.owner) {
    auto* owner = static_cast<zend_class_entry*>(zend_hash_str_find_ptr(CG(class_table), one.owner, strlen(one.owner)));
    if (!owner) return nullptr;
    functions = &owner->function_table;
  }
  auto* function = static_cast<zend_function*>(zend_hash_str_find_ptr(functions, one.name, strlen(one.name)));
  return function && function->type == ZEND_INTERNAL_FUNCTION ? &function->internal_function : nullptr;
}

}  // namespace

void hook_guards() noexcept {
  for (std::size_t i = 0; i < std::size(guarded); ++i) {
    zend_internal_function* function = find(guarded[i]);
    if (!function || function->handler == kHandlers[i]) continue;
    guarded[i].original = function->handler;
    function->handler = kHandlers[i];
  }
}

void unhook_guards() noexcept {
  for (std::size_t i = 0; i < std::size(guarded); ++i) {
    zend_internal_function* function = find(guarded[i]);
    if (function && function->handler == kHandlers[i]) function->handler = guarded[i].original;
  }
}

}  // namespace trueasync::php::engine
