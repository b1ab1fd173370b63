#include "engine/gc.hpp"

#include <algorithm>

#include "engine/runtime.hpp"
#include "support/error.hpp"
#include "support/waiters.hpp"

namespace trueasync::php::engine {

namespace {

// A run that nobody has asked for looks at this many on the average.
constexpr std::size_t kMaxRootsPerRun = 1000;

int (*collect_next)() = nullptr;
TRUEASYNC_PHP_LOCAL bool is_adding_roots = false;
TRUEASYNC_PHP_LOCAL std::size_t runs_without = 0;
TRUEASYNC_PHP_LOCAL int collected_meanwhile = 0;

bool is_explicit_run() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  return frame && frame->func && frame->func->type == ZEND_INTERNAL_FUNCTION && frame->func->common.function_name &&
         zend_string_equals_literal(frame->func->common.function_name, "gc_collect_cycles");
}

// Each that loses a reference may be one too many for the collector's list, which is gone through then.
void add_waiting_coroutines() noexcept {
  std::vector<zend_object*> waiting;
  catch_to_php([&] {
    for (detail::ControlBlock* block : scheduler->live_coroutines()) {
      if (CoroutineObject* one = sole_wait_coroutine(&block->waker())) waiting.push_back(object_of(*one));
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
  const bool may_show = scheduler && !is_bailing && !is_adding_roots;
  if (!may_show || (!is_explicit_run() && ++runs_without * kMaxRootsPerRun < scheduler->statistics().alive)) {
    const int collected = collect_next();
    if (is_adding_roots) collected_meanwhile += collected;
    return collected;
  }
  runs_without = 0;
  collected_meanwhile = 0;
  is_adding_roots = true;
  add_waiting_coroutines();
  is_adding_roots = false;
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

bool is_loop_begin(const zend_op& at) noexcept { return at.opcode == ZEND_FE_RESET_R || at.opcode == ZEND_FE_RESET_RW; }

bool is_loop(const zend_op& at) noexcept {
  return is_loop_begin(at) || at.opcode == ZEND_FE_FETCH_R || at.opcode == ZEND_FE_FETCH_RW;
}

// The engine takes for alive what was so one instruction before, in some of its versions: it misses what a loop that is
// at work goes through. `before`: how much was in the buffer before the engine looked at the frame.
void report_loop(zend_execute_data* frame, std::ptrdiff_t before, GcBuffer& buffer) noexcept {
  const zend_op& at = *frame->opline;
  if (!is_loop(at) || !(at.op1_type & (IS_TMP_VAR | IS_VAR))) return;
  zval* what = ZEND_CALL_VAR(frame, at.op1.var);
  if (Z_TYPE_P(what) != IS_OBJECT) return;
  const zend_get_gc_buffer& all = *buffer.raw();
  const bool is_there = std::any_of(all.start + before, all.cur, [&](const zval& one) {
    return Z_TYPE(one) == IS_OBJECT && Z_OBJ(one) == Z_OBJ_P(what);
  });
  if (!is_there) buffer.add(what);
}

bool is_destructor(const zend_function& function) noexcept {
  return function.common.scope && function.common.scope->destructor == &function;
}

// Whether what the frame holds besides its variables can't be told: an exception unwinds it, or may do so. That calls
// destructors, and what they are called from looks, since PHP 8.4, like the instruction that threw. A loop may also have
// called what it goes through.
bool may_unwind(const zend_execute_data* frame, const zend_execute_data* inner) noexcept {
  if (frame->opline->opcode == ZEND_HANDLE_EXCEPTION) return true;
  if (!inner || !inner->func || !(ZEND_CALL_INFO(inner) & ZEND_CALL_TOP)) return false;
  return !is_loop(*frame->opline) || is_destructor(*inner->func);
}

// Of user code; `inner`: the frame that was called from it, if any. Returns its symbol table, if it has one.
HashTable* report_frame(zend_execute_data* frame, const zend_execute_data* inner, GcBuffer& buffer) noexcept {
  if (!may_unwind(frame, inner)) {
    const std::ptrdiff_t before = buffer.raw()->cur - buffer.raw()->start;
    HashTable* symbols = zend_unfinished_execution_gc_ex(frame, frame->call, buffer.raw(), false);
    report_loop(frame, before, buffer);
    return symbols;
  }
  // At its first instruction it has its variables and nothing else.
  const zend_op* opline = std::exchange(frame->opline, frame->func->op_array.opcodes);
  HashTable* symbols = zend_unfinished_execution_gc_ex(frame, nullptr, buffer.raw(), false);
  frame->opline = opline;
  return symbols;
}

}  // namespace

TrackedIterator::TrackedIterator(zend_object_iterator& iterator) noexcept : iterator_(iterator), coroutine_(nullptr) {
  const zend_execute_data* frame = EG(current_execute_data);
  if (!frame || !frame->func || !ZEND_USER_CODE(frame->func->type) || !is_loop_begin(*frame->opline)) return;
  coroutine_ = current();
  if (coroutine_) outer_ = std::exchange(coroutine_->tracked_iterators, this);
}

TrackedIterator::~TrackedIterator() {
  if (!coroutine_) return;
  TrackedIterator** at = &coroutine_->tracked_iterators;
  while (*at != this) at = &(*at)->outer_;  // a fiber may have come in between
  *at = outer_;
}

void hook_collector() noexcept {
  collect_next = gc_collect_cycles;
  gc_collect_cycles = &collect;
}

void reset_collection() noexcept { is_adding_roots = false; }

void unhook_collector() noexcept {
  if (gc_collect_cycles == &collect) gc_collect_cycles = collect_next;
}

void report_frames(const CoroutineObject& coroutine, GcBuffer& buffer) noexcept {
  for (const TrackedIterator* at = coroutine.tracked_iterators; at; at = at->outer()) buffer.add(at->object());
  HashTable* seen = nullptr;
  const zend_execute_data* inner = nullptr;
  zend_execute_data* frame = coroutine.state.current_execute_data;
  for (; frame; inner = std::exchange(frame, frame->prev_execute_data)) {
    // A running generator keeps what it has to itself: it can't be collected while it runs.
    if (!frame->func || (ZEND_CALL_INFO(frame) & ZEND_CALL_GENERATOR)) continue;
    const bool is_user_code = ZEND_USER_CODE(frame->func->type);
    if (!is_user_code) report_arguments(frame, buffer);
    HashTable* symbols = is_user_code ? report_frame(frame, inner, buffer)
                                      : zend_unfinished_execution_gc_ex(frame, nullptr, buffer.raw(), false);
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
