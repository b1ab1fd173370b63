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
class Service {
 public:
  Service(std::function<void(Io)> handler, const ServeOptions& options)
      : handler_(std::move(handler)), options_(options) {}

  bool is_full() const noexcept { return options_.max_connections != 0 && seats_.size() >= options_.max_connections; }
  bool is_empty() const noexcept { return seats_.empty(); }

  // Suspends until a connection has ended.
  void wait_for_leave(Place place) {
    Event* events[] = {&left_};
    wait_any(events, std::nullopt, place);
  }
  void drain(Place place) {
    while (!is_empty()) wait_for_leave(place);
  }
  void cancel_all() {
    for (const Coroutine& each : seats_) each.cancel();
  }
  static void add(const std::shared_ptr<Service>& self, Io connection, Place place) {
    Seat seat(self);
    const auto at = seat.at();
    auto served = [seat = std::move(seat), io = std::move(connection)]() mutable { seat.home().handle(std::move(io)); };
    *at = spawn(self->options_.coroutine, std::move(served), place).coroutine();
  }

 private:
  // Kept in the coroutine's closure: given back also when it is cancelled before it starts.
  class Seat {
   public:
    explicit Seat(std::shared_ptr<Service> home)
        : home_(std::move(home)), at_(home_->seats_.emplace(home_->seats_.end())) {}
    Seat(Seat&&) noexcept = default;
    ~Seat() {
      if (!home_) return;
      home_->seats_.erase(at_);
      home_->left_.fire();
    }
    Service& home() const noexcept { return *home_; }
    std::list<Coroutine>::iterator at() const noexcept { return at_; }

   private:
    std::shared_ptr<Service> home_;
    std::list<Coroutine>::iterator at_;
  };

  class Left final : public Event {
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
  Left left_;
};

void accept_until_closed(Listener& listener, const std::shared_ptr<Service>& service, Place place) {
  for (;;) {
    while (service->is_full()) service->wait_for_leave(place);
    Io connection;
    try {
      connection = listener.accept(std::nullopt, place);
    } catch (const ClosedError&) {
      return;
    }
    Service::add(service, std::move(connection), place);
  }
}

}  // namespace

void serve(Listener& listener, const std::function<void(Io)>& handler, const ServeOptions& options, Place place) {
  const auto service = std::make_shared<Service>(handler, options);
  try {
    accept_until_closed(listener, service, place);
    service->drain(place);
  } catch (...) {
    service->cancel_all();
    protect([&] { service->drain(place); });
    throw;
  }
}

}  // namespace trueasync
