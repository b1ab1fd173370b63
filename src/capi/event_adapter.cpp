#include "capi/event_adapter.hpp"

namespace trueasync::detail {

namespace {

constexpr const char* kHook = "a hook of an event";

}  // namespace

CNotification::CNotification(const Notification& notification) noexcept {
  if (notification.error) set_error_from(&error_, notification.error);
  notification_ = {sizeof notification_, notification.value, error_.status, error_.system, error_.message};
}

CEvent::CEvent(const ta_event_type& type, void* data, Reactor* reactor) noexcept
    : Event(reactor ? &reactor->liveness() : nullptr), type_(type), data_(data) {
  if (reactor) reactor->observers().push_back(*this);
  if (type_.flags & TA_EVENT_BACKGROUND) set_background();
}

CEvent::~CEvent() {
  if (ListHook::is_linked()) ListHook::unlink();
}

void CEvent::fire(Notification notification, const char* operation) {
  if (is_closed()) throw MisuseError(operation + (" " + describe()) + ": the event is closed");
  if (has_fired_) {
    throw MisuseError(operation + (" " + describe()) + ": a TA_EVENT_ONCE event has already fired");
  }
  notify(std::move(notification));
}

void CEvent::close_with(const char* message) {
  const std::string text = message && message[0] ? message : "wait for " + describe() + ": the event was closed";
  close(std::make_exception_ptr(StatusError(TA_CLOSED, 0, text)));
}

bool CEvent::replay(Notification& result) const noexcept {
  if (has_fired_) result = result_;
  return has_fired_;
}

std::string CEvent::describe() const {
  if (type_.describe) {
    char text[256] = "";
    CallbackGuard guard(kHook);
    type_.describe(data_, text, sizeof text);
    text[sizeof text - 1] = 0;
    return text;
  }
  return type_.name ? type_.name : "a user-defined event";
}

std::exception_ptr CEvent::on_start() noexcept {
  if (!type_.start) return nullptr;
  CallbackGuard guard(kHook);
  ta_error error = empty_error();
  const ta_status status = type_.start(handle_of(this), data_, &error);
  return status == TA_OK ? nullptr : to_exception(status, error);
}

void CEvent::on_stop() noexcept {
  if (!type_.stop) return;
  CallbackGuard guard(kHook);
  type_.stop(handle_of(this), data_);
}

void CEvent::before_notify(Notification& notification) noexcept {
  if (type_.before_notify) {
    CallbackGuard guard(kHook);
    CNotification c_notification(notification);
    const ta_notification before = c_notification.get();
    type_.before_notify(handle_of(this), data_, &c_notification.get());
    const ta_notification& after = c_notification.get();
    notification.value = after.value;
    if (after.status != before.status || after.system != before.system || after.message != before.message) {
      ta_error error = empty_error();
      ta_fail(&error, after.status, after.system, after.message);
      notification.error = after.status == TA_OK ? nullptr : to_exception(after.status, error);
    }
  }
  if ((type_.flags & TA_EVENT_ONCE) && !is_closed()) {
    result_ = notification;
    has_fired_ = true;
  }
}

void CEvent::dispose() noexcept {
  const ta_dispose hook = type_.dispose;
  void* data = data_;
  delete this;
  if (!hook) return;
  CallbackGuard guard(kHook);
  hook(data);
}

}  // namespace trueasync::detail
