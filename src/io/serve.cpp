// serve: runs a coroutine per connection, limits their number and waits for all of them at the end.
#include <list>
#include <memory>

#include "trueasync/cancel.hpp"
#include "trueasync/event.hpp"
#include "trueasync/io/net.hpp"
#include "trueasync/task.hpp"

namespace trueasync {

namespace {

// The connections in progress. Shared by serve() and its handlers, because a forced shutdown may end serve() first.
class ConnectionSet {
 public:
  ConnectionSet(std::function<void(Io)> handler, const ServeOptions& options)
      : handler_(std::move(handler)), options_(options) {}

  bool is_full() const noexcept { return options_.max_connections != 0 && slots_.size() >= options_.max_connections; }
  bool is_empty() const noexcept { return slots_.empty(); }

  // Suspends until one of the connections has ended.
  void wait_for_connection_end(WaitOptions wait, SourceLocation location) {
    Event* events[] = {&connection_ended_};
    wait_any(events, wait, location);
  }
  void drain(WaitOptions wait, SourceLocation location) {
    while (!is_empty()) wait_for_connection_end(wait, location);
  }
  void cancel_all() {
    for (const Coroutine& handler : slots_) handler.cancel();
  }
  static void add(const std::shared_ptr<ConnectionSet>& self, Io connection, SourceLocation location) {
    ConnectionSlot slot(self);
    const auto position = slot.position();
    auto body = [slot = std::move(slot), io = std::move(connection)]() mutable { slot.set().handle(std::move(io)); };
    *position = spawn(self->options_.coroutine, std::move(body), location).coroutine();
  }

 private:
  // Part of the coroutine's closure, so the slot is released also if the coroutine is cancelled before it starts.
  class ConnectionSlot {
   public:
    explicit ConnectionSlot(std::shared_ptr<ConnectionSet> set)
        : set_(std::move(set)), position_(set_->slots_.emplace(set_->slots_.end())) {}
    ConnectionSlot(ConnectionSlot&&) noexcept = default;
    ~ConnectionSlot() {
      if (!set_) return;
      set_->slots_.erase(position_);
      set_->connection_ended_.fire();
    }
    ConnectionSet& set() const noexcept { return *set_; }
    std::list<Coroutine>::iterator position() const noexcept { return position_; }

   private:
    std::shared_ptr<ConnectionSet> set_;
    std::list<Coroutine>::iterator position_;
  };

  class ConnectionEndEvent final : public Event {
   public:
    void fire() noexcept { notify({}); }
    std::string describe() const override { return "the end of a connection"; }
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
  std::list<Coroutine> slots_;
  ConnectionEndEvent connection_ended_;
};

void accept_until_closed(Listener& listener, const std::shared_ptr<ConnectionSet>& connections, WaitOptions wait,
                         SourceLocation location) {
  for (;;) {
    while (connections->is_full()) connections->wait_for_connection_end(wait, location);
    Io connection;
    try {
      connection = listener.accept(wait, location);
    } catch (const ClosedError&) {
      return;
    }
    ConnectionSet::add(connections, std::move(connection), location);
  }
}

}  // namespace

void serve(Listener& listener, const std::function<void(Io)>& handler, const ServeOptions& options, WaitOptions wait,
           SourceLocation location) {
  wait = detail::with_fixed_deadline(wait);
  const auto connections = std::make_shared<ConnectionSet>(handler, options);
  try {
    accept_until_closed(listener, connections, wait, location);
    connections->drain(wait, location);
  } catch (...) {
    connections->cancel_all();
    protect([&] { connections->drain({}, location); });
    throw;
  }
}

}  // namespace trueasync
