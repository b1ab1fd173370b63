#include "capi/status.hpp"

#include <new>
#include <string>

#include "scheduler/api_support.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/io/dns.hpp"
#include "trueasync/io/error.hpp"
#include "trueasync/pool/circuit_breaker.hpp"
#include "trueasync/pool/options.hpp"
#include "trueasync/threads/thread_pool.hpp"

namespace trueasync::detail {

StatusError::~StatusError() = default;

namespace {

ta_status set_cancelled(ta_error* error, const Cancelled& cancelled) noexcept {
  return ta_fail(error, cancelled.is_own() ? TA_CANCELLED : TA_TARGET_CANCELLED, 0, cancelled.what());
}

// Errors of the library that have their own status.
ta_status set_library_error(ta_error* error, const Error& failure) noexcept {
  if (auto* own = dynamic_cast<const StatusError*>(&failure)) {
    return ta_fail(error, own->status(), own->system_error(), own->what());
  }
  if (auto* closed = dynamic_cast<const ClosedError*>(&failure)) {
    return ta_fail(error, TA_CLOSED, closed->code(), closed->what());
  }
  if (auto* io = dynamic_cast<const IoError*>(&failure)) return ta_fail(error, TA_IO, io->code(), io->what());
  if (auto* dns = dynamic_cast<const DnsError*>(&failure)) return ta_fail(error, TA_DNS, dns->code(), dns->what());
  ta_status status = TA_FAILED;
  if (dynamic_cast<const TimeoutError*>(&failure)) status = TA_TIMEOUT;
  if (dynamic_cast<const MisuseError*>(&failure)) status = TA_MISUSE;
  if (dynamic_cast<const StackError*>(&failure)) status = TA_NO_STACK;
  if (dynamic_cast<const DeadlockError*>(&failure)) status = TA_DEADLOCK;
  if (dynamic_cast<const ThreadPoolClosedError*>(&failure)) status = TA_CLOSED;
  if (dynamic_cast<const PoolClosedError*>(&failure)) status = TA_CLOSED;
  if (dynamic_cast<const PoolOverloadedError*>(&failure)) status = TA_OVERLOADED;
  if (dynamic_cast<const ServiceUnavailableError*>(&failure)) status = TA_UNAVAILABLE;
  return ta_fail(error, status, 0, failure.what());
}

std::string to_text(ta_status status, const ta_error& error) {
  if (error.message[0] != 0) return error.message;
  return "C function failed with status " + std::to_string(status);
}

bool is_cancellation_requested() noexcept {
  const Scheduler* scheduler = Scheduler::current();
  return scheduler && (scheduler->running()->flags & (kCancelRequested | kShutdownForced));
}

}  // namespace

ta_status set_error_from_current_exception(ta_error* error) noexcept {
  try {
    throw;
  } catch (const Cancelled& cancelled) {
    return set_cancelled(error, cancelled);
  } catch (const Error& failure) {
    return set_library_error(error, failure);
  } catch (const std::bad_alloc&) {
    return ta_fail(error, TA_NO_MEMORY, 0, "out of memory");
  } catch (const std::exception& failure) {
    return ta_fail(error, TA_FAILED, 0, failure.what());
  } catch (...) {
    return ta_fail(error, TA_FAILED, 0, "exception of an unknown type");
  }
}

ta_status set_error_from(ta_error* error, const std::exception_ptr& failure) noexcept {
  try {
    std::rethrow_exception(failure);
  } catch (...) {
    return set_error_from_current_exception(error);
  }
}

void throw_status(ta_status status, const ta_error& error) {
  switch (status) {
    case TA_CANCELLED:
      if (is_cancellation_requested()) throw_cancelled(*Scheduler::current()->running());
      break;
    case TA_TIMEOUT:
      throw TimeoutError(to_text(status, error));
    case TA_MISUSE:
      throw MisuseError(to_text(status, error));
    case TA_NO_MEMORY:
      throw std::bad_alloc();
    default:
      break;
  }
  throw StatusError(status, error.system, to_text(status, error));
}

std::exception_ptr to_exception(ta_status status, const ta_error& error) noexcept {
  try {
    throw_status(status, error);
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace trueasync::detail
