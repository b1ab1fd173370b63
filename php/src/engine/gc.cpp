#include "engine/gc.hpp"

#include <algorithm>

#include "engine/runtime.hpp"
#include "support/error.hpp"
#include "support/waiters.hpp"

namespace trueasync::php::engine {

namespace {

// An automatic run adds at most this many roots on average, so its cost does not grow with the number of coroutines.
constexpr std::size_t kMaxRootsPerRun = 1000;

int (*collect_next)() = nullptr;
TRUEASYNC_PHP_LOCAL bool is_adding_roots = false;
TRUEASYNC_PHP_LOCAL std::size_t runs_without_roots = 0;
TRUEASYNC_PHP_LOCAL int collected_while_adding = 0;

bool is_explicit_run() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  return frame && frame->func && frame->func->type == ZEND_INTERNAL_FUNCTION && frame->func->common.function_name &&
         zend_string_equals_literal(frame->func->common.function_name, "gc_collect_cycles");
}

// Dropping a reference adds the object to the root buffer. A full buffer starts a nested run, see collect(). The list
// is therefore complete, with a reference to each object, before the first reference is dropped.
void add_waiting_coroutines() noexcept {
  std::vector<zend_object*> waiting;
  catch_to_php([&] {
    for (detail::ControlBlock* block : scheduler->live_coroutines()) {
      CoroutineObject* coroutine = sole_wait_coroutine(&block->waker());
      if (coroutine) waiting.push_back(object_of(*coroutine));
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
  const bool may_add = scheduler && !is_bailing && !is_adding_roots;
  if (!may_add || (!is_explicit_run() && ++runs_without_roots * kMaxRootsPerRun < scheduler->statistics().alive)) {
    const int collected = collect_next();
    if (is_adding_roots) collected_while_adding += collected;
    return collected;
  }
  runs_without_roots = 0;
  collected_while_adding = 0;
  is_adding_roots = true;
  add_waiting_coroutines();
  is_adding_roots = false;
  return collect_next() + collected_while_adding;
}

void report_symbols(HashTable* symbols, GcBuffer& buffer) noexcept {
  zval* value;
  ZEND_HASH_FOREACH_VAL(symbols, value) { buffer.add(Z_TYPE_P(value) == IS_INDIRECT ? Z_INDIRECT_P(value) : value); }
  ZEND_HASH_FOREACH_END();
}

// zend_unfinished_execution_gc_ex() omits the arguments of internal functions.
void report_arguments(zend_execute_data* frame, GcBuffer& buffer) noexcept {
  for (uint32_t i = 1; i <= ZEND_CALL_NUM_ARGS(frame); ++i) buffer.add(ZEND_CALL_ARG(frame, i));
}

bool is_loop_begin(const zend_op& op) noexcept { return op.opcode == ZEND_FE_RESET_R || op.opcode == ZEND_FE_RESET_RW; }

bool is_loop(const zend_op& op) noexcept {
  return is_loop_begin(op) || op.opcode == ZEND_FE_FETCH_R || op.opcode == ZEND_FE_FETCH_RW;
}

// Some engine versions use the live ranges of the previous instruction and miss the object that an active loop iterates
// over. `before` is the size of the buffer before the engine reported the frame.
void report_loop(zend_execute_data* frame, std::ptrdiff_t before, GcBuffer& buffer) noexcept {
  const zend_op& op = *frame->opline;
  if (!is_loop(op) || !(op.op1_type & (IS_TMP_VAR | IS_VAR))) return;
  zval* iterated = ZEND_CALL_VAR(frame, op.op1.var);
  if (Z_TYPE_P(iterated) != IS_OBJECT) return;
  const zend_get_gc_buffer& all = *buffer.raw();
  const bool is_reported = std::any_of(all.start + before, all.cur, [&](const zval& value) {
    return Z_TYPE(value) == IS_OBJECT && Z_OBJ(value) == Z_OBJ_P(iterated);
  });
  if (!is_reported) buffer.add(iterated);
}

bool is_destructor(const zend_function& function) noexcept {
  return function.common.scope && function.common.scope->destructor == &function;
}

// Whether the temporaries of the frame are unknown because an exception unwinds it, or may unwind it. Unwinding calls
// destructors, and since PHP 8.4 their call is indistinguishable from the instruction that threw. A call from a loop
// instruction can also be a method of the iterator.
bool may_unwind(const zend_execute_data* frame, const zend_execute_data* inner) noexcept {
  if (frame->opline->opcode == ZEND_HANDLE_EXCEPTION) return true;
  if (!inner || !inner->func || !(ZEND_CALL_INFO(inner) & ZEND_CALL_TOP)) return false;
  return !is_loop(*frame->opline) || is_destructor(*inner->func);
}

// Reports a frame of user code. `inner` is the frame that it called, or null. Returns its symbol table, or null.
HashTable* report_frame(zend_execute_data* frame, const zend_execute_data* inner, GcBuffer& buffer) noexcept {
  if (!may_unwind(frame, inner)) {
    const std::ptrdiff_t before = buffer.raw()->cur - buffer.raw()->start;
    HashTable* symbols = zend_unfinished_execution_gc_ex(frame, frame->call, buffer.raw(), false);
    report_loop(frame, before, buffer);
    return symbols;
  }
  // At the first instruction a frame has variables and no temporaries.
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
  TrackedIterator** link = &coroutine_->tracked_iterators;
  while (*link != this) link = &(*link)->outer_;  // a fiber may have added iterators since
  *link = outer_;
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
  for (const TrackedIterator* tracked = coroutine.tracked_iterators; tracked; tracked = tracked->outer()) {
    buffer.add(tracked->object());
  }
  HashTable* seen = nullptr;
  const zend_execute_data* inner = nullptr;
  zend_execute_data* frame = coroutine.state.current_execute_data;
  for (; frame; inner = std::exchange(frame, frame->prev_execute_data)) {
    // A running generator cannot be collected, so it does not report what it holds.
    if (!frame->func || (ZEND_CALL_INFO(frame) & ZEND_CALL_GENERATOR)) continue;
    const bool is_user_code = ZEND_USER_CODE(frame->func->type);
    if (!is_user_code) report_arguments(frame, buffer);
    HashTable* symbols = is_user_code ? report_frame(frame, inner, buffer)
                                      : zend_unfinished_execution_gc_ex(frame, nullptr, buffer.raw(), false);
    // An included file shares the symbol table of the function that includes it.
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
