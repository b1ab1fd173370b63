// Conversion of errors between C++ exceptions and statuses.
#include <stdexcept>

#include "capi/handles.hpp"
#include "fixture.hpp"

namespace trueasync::test {
namespace {

ta_status to_status(std::exception_ptr failure, ta_error* error = nullptr) {
  return detail::set_error_from(error, failure);
}

template <class E>
ta_status to_status(const E& failure) {
  return to_status(std::make_exception_ptr(failure));
}

// ABI-01
TEST(CStatus, EveryLibraryErrorHasStatus) {
  EXPECT_EQ(to_status(TimeoutError("x")), TA_TIMEOUT);
  EXPECT_EQ(to_status(MisuseError("x")), TA_MISUSE);
  EXPECT_EQ(to_status(StackError("x", "y")), TA_NO_STACK);
  EXPECT_EQ(to_status(DeadlockError("x")), TA_DEADLOCK);
  EXPECT_EQ(to_status(ClosedError("x")), TA_CLOSED);
  EXPECT_EQ(to_status(IoError("x", EPIPE)), TA_IO);
  EXPECT_EQ(to_status(DnsError("x", 1)), TA_DNS);
  EXPECT_EQ(to_status(ThreadPoolClosedError("x")), TA_CLOSED);
  EXPECT_EQ(to_status(PoolClosedError("x")), TA_CLOSED);
  EXPECT_EQ(to_status(PoolOverloadedError("x")), TA_OVERLOADED);
  EXPECT_EQ(to_status(ServiceUnavailableError("x")), TA_UNAVAILABLE);
  EXPECT_EQ(to_status(OperationCancelled("x", nullptr)), TA_TARGET_CANCELLED);
  EXPECT_EQ(to_status(std::bad_alloc()), TA_NO_MEMORY);
  EXPECT_EQ(to_status(std::runtime_error("x")), TA_FAILED);
  EXPECT_EQ(to_status(5), TA_FAILED);
}

// ABI-01
TEST(CStatus, ErrnoAndMessageAreConverted) {
  ta_error error = TA_ERROR_INIT;
  EXPECT_EQ(to_status(std::make_exception_ptr(IoError("read x", EPIPE)), &error), TA_IO);
  EXPECT_EQ(error.system, EPIPE);
  EXPECT_STREQ(error.message, "read x: Broken pipe");
}

ta_status fail_with_status(void* argument, ta_error* error) {
  return ta_fail(error, *static_cast<ta_status*>(argument), 7, "from C");
}

class CStatusTest : public CProgram {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CStatusTest);

// ABI-01
TEST_P(CStatusTest, StatusOfCFunctionBecomesException) {
  run([] {
    const auto await_status = [](ta_status status) {
      ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
      options.entry = fail_with_status;
      options.argument = &status;
      ta_coroutine* handle = nullptr;
      EXPECT_EQ(ta.core->spawn(&options, &handle, TA_HERE, nullptr), TA_OK);
      const Coroutine coroutine = detail::Access::coroutine(detail::block_of(handle));
      ta.core->release(handle);
      await(coroutine);
    };
    EXPECT_THROW(await_status(TA_TIMEOUT), TimeoutError);
    EXPECT_THROW(await_status(TA_MISUSE), MisuseError);
    EXPECT_THROW(await_status(TA_NO_MEMORY), std::bad_alloc);
    // Cancellation was not requested: TA_CANCELLED is an ordinary failure.
    EXPECT_THROW(await_status(TA_CANCELLED), Error);
    try {
      await_status(TA_STATUS_USER_BASE);
      ADD_FAILURE() << "no error was thrown";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "from C");
    }
  });
}

ta_status throw_exception(void*, ta_error*) { throw std::runtime_error("thrown"); }

// ABI-01
TEST_P(CStatusTest, ExceptionOfCallbackBecomesStatus) {
  run([] {
    ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
    options.entry = throw_exception;
    ta_coroutine* handle = nullptr;
    ta_error error = TA_ERROR_INIT;
    ASSERT_EQ(ta.core->spawn(&options, &handle, TA_HERE, nullptr), TA_OK);
    EXPECT_EQ(ta.core->await(handle, TA_NO_TIMEOUT, TA_HERE, &error), TA_FAILED);
    EXPECT_STREQ(error.message, "thrown");
    EXPECT_EQ(ta.core->protect(throw_exception, nullptr, &error), TA_FAILED);
    ta.core->release(handle);
  });
}

// ABI-01
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
