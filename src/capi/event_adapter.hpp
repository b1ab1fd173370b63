// CEvent: a user-defined event of the C API, with C functions as hooks.
//
// Lifetime: reference-counted; may outlive the runtime.
// Thread safety: the runtime's thread.
#pragma once

#include "capi/handles.hpp"
#include "reactor/reactor.hpp"

namespace trueasync::detail {

class CEvent final : public Event, public ReactorObserver {
 public:
  // `reactor` is set for TA_EVENT_EXTERNAL, else null.
  CEvent(const ta_event_type& type, void* data, Reactor* reactor) noexcept;

  // Throws MisuseError if the event is closed, or if it is of TA_EVENT_ONCE and has fired.
  void fire(Notification notification, const char* operation);
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
  ta_event_type type_;
  void* data_;
  Notification result_;  // of TA_EVENT_ONCE, for replay()
  bool has_fired_ = false;
};

// CNotification: a ta_notification together with the storage of its message.
class CNotification {
 public:
  explicit CNotification(const Notification& notification) noexcept;
  ta_notification& get() noexcept { return notification_; }

 private:
  ta_error error_ = empty_error();
  ta_notification notification_ = {};
};

}  // namespace trueasync::detail
