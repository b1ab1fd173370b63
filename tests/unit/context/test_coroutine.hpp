// TestCoroutine: a body on a pooled stack that yields to the context that resumed it. Its destructor checks that the
// body has finished.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "context/context.hpp"
#include "context/stack_pool.hpp"

namespace trueasync::detail {

class TestCoroutine {
 public:
  using Body = std::function<void(TestCoroutine&)>;

  TestCoroutine(StackPool& pool, Body body) : pool_(pool), body_(std::move(body)), stack_(pool.acquire()) {
    if (stack_ == nullptr) return;
    sanitizer_attach_thread(back_.sanitizer);
    make_context(context_, stack_->limit(), stack_->start(), &TestCoroutine::enter, this);
  }
  ~TestCoroutine() {
    EXPECT_TRUE(done_) << "the coroutine was not run to its end";
    if (stack_ == nullptr) return;
    sanitizer_destroy(context_.sanitizer);
    pool_.release(stack_);
  }
  TestCoroutine(const TestCoroutine&) = delete;
  TestCoroutine& operator=(const TestCoroutine&) = delete;

  void resume() { switch_context(back_, context_, ExceptionState::globals()); }
  [[gnu::always_inline]] void yield() { switch_context(context_, back_, ExceptionState::globals()); }

  // For direct switches between coroutines.
  Context& context() { return context_; }
  Context& back() { return back_; }
  const Stack& stack() const { return *stack_; }
  bool done() const { return done_; }

 private:
  static void enter(void* argument) {
    TestCoroutine& coroutine = *static_cast<TestCoroutine*>(argument);
    sanitizer_after_switch(coroutine.context_.sanitizer);
    coroutine.body_(coroutine);
    coroutine.done_ = true;
    exit_to_context(coroutine.context_, coroutine.back_, ExceptionState::globals());
  }

  StackPool& pool_;
  Body body_;
  Stack* stack_;
  Context context_;
  Context back_;
  bool done_ = false;
};

}  // namespace trueasync::detail
