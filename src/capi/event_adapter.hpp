// An event of a C program's own kind: its hooks called directly.
//
// Lifetime: counted as every event; may outlive the runtime. Threads: the runtime's.
#pragma once

#include "capi/handles.hpp"
#include "reactor/reactor.hpp"

namespace trueasync::detail {

class CEvent final : public Event, public ReactorObserver {
 public:
  // `reactor` for a kind that is fired from outside, null otherwise.
  CEvent(const ta_event_type& kind, void* data, Reactor* reactor) noexcept;

  // Throws MisuseError for what has happened for good, or is closed.
  void fire(Notification notification);
  void close_with(const char* message);
  void* data() const noexcept { return data_; }

  bool replay(Notification& result) const noexcept override;
  std::string describe() const override;
  void on_reactor_closed() noexcept override { detach_liveness(); }

 protected:
  ~CEvent() override;
  std::exception_ptr on_start() noexcept override;
  void on_stop() noexcept override;
  void before_notify(Notification& notification) noexcept override;
  void dispose() noexcept override;

 private:
  ta_event_type kind_;
  void* data_;
  Notification happened_;
  bool has_happened_ = false;
};

// A notification as C sees it, with room for the text of a failure.
class CNotification {
 public:
  explicit CNotification(const Notification& notification) noexcept;
  ta_notification& get() noexcept { return notification_; }

 private:
  ta_error text_ = empty_error();
  ta_notification notification_ = {};
};

}  // namespace trueasync::detail
