#include "capi/event_adapter.hpp"

namespace trueasync::detail {

namespace {

constexpr const char* kHook = "a hook of an event";

}  // namespace

CNotification::CNotification(const Notification& notification) noexcept {
  if (notification.error) set_error_from(&text_, notification.error);
  notification_ = {sizeof notification_, notification.value, text_.status, text_.system, text_.message};
}

CEvent::CEvent(const ta_event_type& kind, void* data, Reactor* reactor) noexcept
    : Event(reactor ? &reactor->liveness() : nullptr), kind_(kind), data_(data) {
  if (reactor) reactor->observers().push_back(*this);
  if (kind_.flags & TA_EVENT_BACKGROUND) set_background();
}

CEvent::~CEvent() {
  if (ListHook::is_linked()) ListHook::unlink();
}

void CEvent::fire(Notification notification) {
  if (is_closed()) throw MisuseError("a closed event can't fire: " + describe());
  if (has_happened_) throw MisuseError("this event happens once, and it has: " + describe());
  notify(std::move(notification));
}

void CEvent::close_with(const char* message) {
  const std::string text = message && message[0] ? message : "it was closed: " + describe();
  close(std::make_exception_ptr(StatusError(TA_CLOSED, 0, text)));
}

bool CEvent::replay(Notification& result) const noexcept {
  if (has_happened_) result = happened_;
  return has_happened_;
}

std::string CEvent::describe() const {
  if (kind_.describe) {
    char text[256] = "";
    CallbackGuard guard(kHook);
    kind_.describe(data_, text, sizeof text);
    text[sizeof text - 1] = 0;
    return text;
  }
  return kind_.name ? kind_.name : "an event of a C program";
}

std::exception_ptr CEvent::on_start() noexcept {
  if (!kind_.start) return nullptr;
  CallbackGuard guard(kHook);
  ta_error error = empty_error();
  const ta_status status = kind_.start(handle_of(this), data_, &error);
  return status == TA_OK ? nullptr : to_exception(status, error);
}

void CEvent::on_stop() noexcept {
  if (!kind_.stop) return;
  CallbackGuard guard(kHook);
  kind_.stop(handle_of(this), data_);
}

void CEvent::before_notify(Notification& notification) noexcept {
  if (kind_.before_notify) {
    CallbackGuard guard(kHook);
    CNotification told(notification);
    const ta_notification before = told.get();
    kind_.before_notify(handle_of(this), data_, &told.get());
    const ta_notification& after = told.get();
    notification.value = after.value;
    if (after.status != before.status || after.system != before.system || after.message != before.message) {
      ta_error error = empty_error();
      ta_fail(&error, after.status, after.system, after.message);
      notification.error = after.status == TA_OK ? nullptr : to_exception(after.status, error);
    }
  }
  if ((kind_.flags & TA_EVENT_ONCE) && !is_closed()) {
    happened_ = notification;
    has_happened_ = true;
  }
}

void CEvent::dispose() noexcept {
  const ta_dispose hook = kind_.dispose;
  void* data = data_;
  delete this;
  if (!hook) return;
  CallbackGuard guard(kHook);
  hook(data);
}

}  // namespace trueasync::detail
