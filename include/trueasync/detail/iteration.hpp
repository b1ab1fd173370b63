// Below the template of iterate.hpp: who works on the iteration, and when it is over. Lives on the calling coroutine's
// stack, which stays until the last worker is gone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "trueasync/detail/intrusive_list.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/place.hpp"

namespace trueasync::detail {

struct ControlBlock;

class TRUEASYNC_EXPORT Iteration : public Event {
 public:
  enum class OnStop : std::uint8_t { cancel, wait };
  enum class Spawned : std::uint8_t { wait, cancel };

  Iteration(std::size_t limit, OnStop on_stop, Spawned spawned, Place place);
  ~Iteration() override;

  // Works on it in the current coroutine until it is over; throws what went wrong.
  void run();

  std::string describe() const override { return "the callbacks of an iteration"; }

 protected:
  // Takes the next element and calls the callback with it. False: the callback wants no more.
  virtual bool step() = 0;

  // While it exists the source is being advanced, by one coroutine at a time (AW-13).
  class Advancing {
   public:
    explicit Advancing(Iteration& iteration) noexcept : iteration_(iteration) { iteration_.advancing_ = true; }
    ~Advancing() { iteration_.advancing_ = false; }
    Advancing(const Advancing&) = delete;
    Advancing& operator=(const Advancing&) = delete;

   private:
    Iteration& iteration_;
  };
  void exhausted() noexcept { over_ = true; }
  // A callback is about to be called: should it suspend, somebody else goes on (MIC-05).
  void before_callback();

 private:
  struct Baton;
  struct Worker;
  struct Running;
  struct Joiner;
  enum class Cause : std::uint8_t { wish, error, cancellation };
  enum class Whom : std::uint8_t { workers, all };  // all: those whom callbacks spawned too

  bool may_take() const noexcept { return !over_ && !advancing_; }
  void work();
  void move_on() noexcept;
  void stop(Cause cause, std::exception_ptr error) noexcept;
  void keep(std::exception_ptr error) noexcept;
  void keep_errors_of_scope() noexcept;
  void cancel_running() noexcept;
  void expire_running() noexcept;
  void worker_gone() noexcept;
  void lose(const ControlBlock& block) noexcept;
  Event* next_to_await(Whom whom) noexcept;
  void join(Whom whom);
  void cancel_spawned();
  void join_unwinding() noexcept;
  void report_errors() noexcept;
  void raise();
  void dispose() noexcept override {}  // it lives on a stack

  std::size_t limit_;
  OnStop on_stop_;
  Spawned spawned_;
  Place place_;
  ControlBlock* caller_;
  Baton* baton_;
  IntrusiveList<Running> running_;
  std::size_t workers_ = 0;                 // without the caller
  std::exception_ptr cancellation_;         // what stopped it, if that was one
  std::vector<std::exception_ptr> errors_;  // in the order they happened
  bool caller_works_ = false;
  bool advancing_ = false;
  bool over_ = false;
  bool stopped_ = false;
  bool cancelling_ = false;
};

}  // namespace trueasync::detail
