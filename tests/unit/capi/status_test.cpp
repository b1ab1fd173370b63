// Failures that cross between C++ and C.
#include <stdexcept>

#include "capi/handles.hpp"
#include "fixture.hpp"

namespace trueasync::test {
namespace {

ta_status status_of(std::exception_ptr failure, ta_error* error = nullptr) {
  return detail::set_error_from(error, failure);
}

template <class E>
ta_status status_of(const E& failure) {
  return status_of(std::make_exception_ptr(failure));
}

// ABI-01
TEST(CStatus, EveryLibraryErrorHasStatus) {
  EXPECT_EQ(status_of(TimeoutError("x")), TA_TIMEOUT);
  EXPECT_EQ(status_of(MisuseError("x")), TA_MISUSE);
  EXPECT_EQ(status_of(StackError("x", "y")), TA_NO_STACK);
  EXPECT_EQ(status_of(DeadlockError("x")), TA_DEADLOCK);
  EXPECT_EQ(status_of(ClosedError("x")), TA_CLOSED);
  EXPECT_EQ(status_of(IoError("x", EPIPE)), TA_IO);
  EXPECT_EQ(status_of(DnsError("x", 1)), TA_DNS);
  EXPECT_EQ(status_of(ThreadPoolClosedError("x")), TA_CLOSED);
  EXPECT_EQ(status_of(PoolClosedError("x")), TA_CLOSED);
  EXPECT_EQ(status_of(PoolOverloadedError("x")), TA_OVERLOADED);
  EXPECT_EQ(status_of(ServiceUnavailableError("x")), TA_UNAVAILABLE);
  EXPECT_EQ(status_of(OperationCancelled("x", nullptr)), TA_TARGET_CANCELLED);
  EXPECT_EQ(status_of(std::bad_alloc()), TA_NO_MEMORY);
  EXPECT_EQ(status_of(std::runtime_error("x")), TA_FAILED);
  EXPECT_EQ(status_of(5), TA_FAILED);
}

// ABI-01
TEST(CStatus, ErrnoAndMessageAreConverted) {
  ta_error error = TA_ERROR_INIT;
  EXPECT_EQ(status_of(std::make_exception_ptr(IoError("read x", EPIPE)), &error), TA_IO);
  EXPECT_EQ(error.system, EPIPE);
  EXPECT_STREQ(error.message, "read x: Broken pipe");
}

ta_status fail_as_a_c_program_does(void* argument, ta_error* error) {
  return ta_fail(error, *static_cast<ta_status*>(argument), 7, "from C");
}

class CStatusTest : public CProgram {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CStatusTest);

// ABI-01
TEST_P(CStatusTest, StatusOfCFunctionBecomesException) {
  run([] {
    const auto awaited = [](ta_status status) {
      ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
      options.entry = fail_as_a_c_program_does;
      options.argument = &status;
      ta_coroutine* handle = nullptr;
      EXPECT_EQ(ta.core->spawn(&options, &handle, TA_HERE, nullptr), TA_OK);
      const Coroutine coroutine(detail::block_of(handle));
      ta.core->release(handle);
      await(coroutine);
    };
    EXPECT_THROW(awaited(TA_TIMEOUT), TimeoutError);
    EXPECT_THROW(awaited(TA_MISUSE), MisuseError);
    EXPECT_THROW(awaited(TA_NO_MEMORY), std::bad_alloc);
    // Nobody has asked it to end: then its word is a failure like any other, not a cancellation.
    EXPECT_THROW(awaited(TA_CANCELLED), Error);
    try {
      awaited(TA_STATUS_USER_BASE);
      ADD_FAILURE() << "it did not fail";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "from C");
    }
  });
}

ta_status throw_as_a_cpp_program_does(void*, ta_error*) { throw std::runtime_error("thrown"); }

// ABI-01
TEST_P(CStatusTest, ExceptionOfCallbackBecomesStatus) {
  run([] {
    ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
    options.entry = throw_as_a_cpp_program_does;
    ta_coroutine* handle = nullptr;
    ta_error error = TA_ERROR_INIT;
    ASSERT_EQ(ta.core->spawn(&options, &handle, TA_HERE, nullptr), TA_OK);
    EXPECT_EQ(ta.core->await(handle, TA_NO_TIMEOUT, TA_HERE, &error), TA_FAILED);
    EXPECT_STREQ(error.message, "thrown");
    EXPECT_EQ(ta.core->protect(throw_as_a_cpp_program_does, nullptr, &error), TA_FAILED);
    ta.core->release(handle);
  });
}

// ABI-01: a deadline arrives as a status
TEST_P(CStatusTest, ScopeDeadlineBecomesTimeoutStatus) {
  run([] {
    ta_status status = TA_OK;
    TaskScope scope;
    scope.scope().set_timeout(std::chrono::milliseconds(1));
    auto task = scope.spawn([&] { status = ta.core->sleep(TA_SECONDS(3600), TA_HERE, nullptr); });
    await(task);
    EXPECT_EQ(status, TA_TIMEOUT);
  });
}

}  // namespace
}  // namespace trueasync::test
