#include "engine/collector.hpp"

#include "engine/runtime.hpp"
#include "support/error.hpp"
#include "support/waiters.hpp"

namespace trueasync::php::engine {

namespace {

// A run that nobody has asked for looks at this many on the average.
constexpr std::size_t kShownByTheWay = 1000;

int (*collect_next)() = nullptr;
TRUEASYNC_PHP_LOCAL bool is_showing = false;
TRUEASYNC_PHP_LOCAL std::size_t runs_without = 0;
TRUEASYNC_PHP_LOCAL int collected_meanwhile = 0;

bool is_asked_for() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  return frame && frame->func && frame->func->type == ZEND_INTERNAL_FUNCTION && frame->func->common.function_name &&
         zend_string_equals_literal(frame->func->common.function_name, "gc_collect_cycles");
}

// Each that loses a reference may be one too many for the collector's list, which is gone through then.
void show_waiting() noexcept {
  std::vector<zend_object*> waiting;
  guarded([&] {
    for (detail::ControlBlock* block : scheduler->living()) {
      if (CoroutineObject* one = lone_waiter(&block->waker())) waiting.push_back(object_of(*one));
    }
  });
  for (zend_object* object : waiting) GC_ADDREF(object);
  for (zend_object* object : waiting) {
    zval held;
    ZVAL_OBJ(&held, object);
    zval_ptr_dtor(&held);
  }
}

int collect() {
  const bool may_show = scheduler && !is_bailing && !is_showing;
  if (!may_show || (!is_asked_for() && ++runs_without * kShownByTheWay < scheduler->statistics().alive)) {
    const int collected = collect_next();
    if (is_showing) collected_meanwhile += collected;
    return collected;
  }
  runs_without = 0;
  collected_meanwhile = 0;
  is_showing = true;
  show_waiting();
  is_showing = false;
  return collect_next() + collected_meanwhile;
}

void report_symbols(HashTable* symbols, GcBuffer& buffer) noexcept {
  zval* value;
  ZEND_HASH_FOREACH_VAL(symbols, value) { buffer.add(Z_TYPE_P(value) == IS_INDIRECT ? Z_INDIRECT_P(value) : value); }
  ZEND_HASH_FOREACH_END();
}

// The engine leaves those of internal functions out.
void report_arguments(zend_execute_data* frame, GcBuffer& buffer) noexcept {
  for (uint32_t i = 1; i <= ZEND_CALL_NUM_ARGS(frame); ++i) buffer.add(ZEND_CALL_ARG(frame, i));
}

}  // namespace

void hook_collector() noexcept {
  collect_next = gc_collect_cycles;
  gc_collect_cycles = &collect;
}

void forget_collection() noexcept { is_showing = false; }

void unhook_collector() noexcept {
  if (gc_collect_cycles == &collect) gc_collect_cycles = collect_next;
}

void report_frames(const EngineState& state, GcBuffer& buffer) noexcept {
  HashTable* seen = nullptr;
  for (zend_execute_data* frame = state.current_execute_data; frame; frame = frame->prev_execute_data) {
    // A running generator keeps what it has to itself: it can't be collected while it runs.
    if (!frame->func || (ZEND_CALL_INFO(frame) & ZEND_CALL_GENERATOR)) continue;
    zend_execute_data* call = ZEND_USER_CODE(frame->func->type) ? frame->call : nullptr;
    if (!ZEND_USER_CODE(frame->func->type)) report_arguments(frame, buffer);
    HashTable* symbols = zend_unfinished_execution_gc_ex(frame, call, buffer.raw(), false);
    // An included file has the variables of the function that includes it.
    if (symbols && symbols != seen) report_symbols(symbols, buffer);
    if (symbols) seen = symbols;
  }
}

void report_call(const CoroutineObject& coroutine, GcBuffer& buffer) noexcept {
  const zend_fcall_info& call = coroutine.call;
  buffer.add(const_cast<zval*>(&call.function_name));
  for (uint32_t i = 0; i < call.param_count; ++i) buffer.add(&call.params[i]);
  if (!call.named_params) return;
  zval named;
  ZVAL_ARR(&named, call.named_params);
  buffer.add(&named);
}

}  // namespace trueasync::php::engine
