// serve: a coroutine per connection, a bound on their number, and an end that waits for all of them.
#include <list>
#include <memory>

#include "trueasync/cancel.hpp"
#include "trueasync/listener.hpp"
#include "trueasync/task.hpp"
#include "trueasync/wait.hpp"

namespace trueasync {

namespace {

// The connections being served. Shared by serve() and its handlers: a forced end may leave handlers behind.
class ConnectionSet {
 public:
  ConnectionSet(std::function<void(Io)> handler, const ServeOptions& options)
      : handler_(std::move(handler)), options_(options) {}

  bool is_full() const noexcept { return options_.max_connections != 0 && seats_.size() >= options_.max_connections; }
  bool is_empty() const noexcept { return seats_.empty(); }

  // Suspends until a connection has ended.
  void wait_for_leave(SourceLocation location) {
    Event* events[] = {&left_};
    wait_any(events, std::nullopt, location);
  }
  void drain(SourceLocation location) {
    while (!is_empty()) wait_for_leave(location);
  }
  void cancel_all() {
    for (const Coroutine& each : seats_) each.cancel();
  }
  static void add(const std::shared_ptr<ConnectionSet>& self, Io connection, SourceLocation location) {
    ConnectionSlot seat(self);
    const auto at = seat.at();
    auto served = [seat = std::move(seat), io = std::move(connection)]() mutable { seat.home().handle(std::move(io)); };
    *at = spawn(self->options_.coroutine, std::move(served), location).coroutine();
  }

 private:
  // Kept in the coroutine's closure: given back also when it is cancelled before it starts.
  class ConnectionSlot {
   public:
    explicit ConnectionSlot(std::shared_ptr<ConnectionSet> home)
        : home_(std::move(home)), at_(home_->seats_.emplace(home_->seats_.end())) {}
    ConnectionSlot(ConnectionSlot&&) noexcept = default;
    ~ConnectionSlot() {
      if (!home_) return;
      home_->seats_.erase(at_);
      home_->left_.fire();
    }
    ConnectionSet& home() const noexcept { return *home_; }
    std::list<Coroutine>::iterator at() const noexcept { return at_; }

   private:
    std::shared_ptr<ConnectionSet> home_;
    std::list<Coroutine>::iterator at_;
  };

  class ConnectionEndEvent final : public Event {
   public:
    void fire() noexcept { notify({}); }
    std::string describe() const override { return "the end of a connection that is being served"; }
  };

  void handle(Io connection) {
    try {
      handler_(std::move(connection));
    } catch (const IoError&) {
      if (options_.on_error) options_.on_error(std::current_exception());
    } catch (const TimeoutError&) {
      if (options_.on_error) options_.on_error(std::current_exception());
    } catch (const std::exception&) {
      if (!options_.on_error) throw;
      options_.on_error(std::current_exception());
    }
  }

  std::function<void(Io)> handler_;
  ServeOptions options_;
  std::list<Coroutine> seats_;
  ConnectionEndEvent left_;
};

void accept_until_closed(Listener& listener, const std::shared_ptr<ConnectionSet>& service, SourceLocation location) {
  for (;;) {
    while (service->is_full()) service->wait_for_leave(location);
    Io connection;
    try {
      connection = listener.accept(std::nullopt, location);
    } catch (const ClosedError&) {
      return;
    }
    ConnectionSet::add(service, std::move(connection), location);
  }
}

}  // namespace

void serve(Listener& listener, const std::function<void(Io)>& handler, const ServeOptions& options,
           SourceLocation location) {
  const auto service = std::make_shared<ConnectionSet>(handler, options);
  try {
    accept_until_closed(listener, service, location);
    service->drain(location);
  } catch (...) {
    service->cancel_all();
    protect([&] { service->drain(location); });
    throw;
  }
}

}  // namespace trueasync
