#include "trueasync/io/fs_watch.hpp"

#include <algorithm>

#include "io/fs_change_queue.hpp"
#include "io/fs_tree.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/error.hpp"
#include "trueasync/event.hpp"

namespace trueasync {

namespace {

// With more queued changes the source is stopped: changes stay in the kernel's queue. A rescan finds what it cannot
// hold.
constexpr std::size_t kMaxQueued = 32 * 1024;

bool has_extension(const std::string& name, const std::vector<std::string>& extensions) {
  return std::any_of(extensions.begin(), extensions.end(), [&](const std::string& extension) {
    if (extension.starts_with('.')) return name.ends_with(extension);
    return name.size() > extension.size() && name.ends_with(extension) &&
           name[name.size() - extension.size() - 1] == '.';
  });
}

FsWatchOptions check_options(FsWatchOptions options) {
  if (options.path.empty()) throw MisuseError("FsWatchOptions::path is empty");
  while (options.path.size() > 1 && options.path.ends_with('/')) options.path.pop_back();
  return options;
}

}  // namespace

struct FsWatcher::State : Subscription {
  explicit State(FsWatchOptions watch_options)
      : options(check_options(std::move(watch_options))),
        source(detail::require_scheduler("FsWatcher").reactor().new_fs_watch(options.path)),
        tree(source, options.path, options.recursive,
             [this](std::string name, detail::FsChange change) { on_change(std::move(name), change); }),
        queue(Ref<detail::FsChangeQueue>::adopt(
            new detail::FsChangeQueue(detail::require_scheduler("FsWatcher").reactor(),
                                      {options.debounce, options.max_debounce, options.coalesce}, options.path))) {
    tree.open();
    source->set_background();  // the queue keeps the program alive while a coroutine waits for it
    if (auto error = source->start()) std::rethrow_exception(error);
    persistent = true;
    callback = [](Subscription& self, const Notification&) noexcept { static_cast<State&>(self).on_changes(); };
    source->subscribe(*this);
  }
  ~State() { stop(); }

  void on_change(std::string name, detail::FsChange change) {
    if (!name.empty() && !options.extensions.empty() && !has_extension(name, options.extensions)) return;
    FsEvent fs_event;
    fs_event.filename = std::move(name);
    fs_event.renamed = change == detail::FsChange::renamed;
    fs_event.changed = change == detail::FsChange::changed;
    queue->push(std::move(fs_event));
  }

  void on_changes() noexcept {
    try {
      if (!tree.handle_all()) {
        stop();
      } else if (queue->size() > kMaxQueued && source->is_active()) {
        source->stop();
      }
    } catch (...) {
      fail(std::current_exception());
    }
  }
  void fail(std::exception_ptr error) noexcept {
    queue->end(std::move(error));
    stop();
  }

  std::optional<FsEvent> take() {
    std::optional<FsEvent> fs_event = queue->take();
    if (fs_event && !source->is_active() && is_linked() && queue->size() < kMaxQueued / 2) {
      if (auto error = source->start()) fail(std::move(error));
    }
    return fs_event;
  }

  // Ends the queue. Queued changes stay available.
  void stop() noexcept {
    queue->end();
    source->unsubscribe(*this);
    source->stop();
  }

  FsWatchOptions options;
  Ref<detail::FsWatchEvent> source;
  detail::FsTree tree;
  Ref<detail::FsChangeQueue> queue;
};

FsWatcher::FsWatcher(FsWatchOptions options) : state_(std::make_shared<State>(std::move(options))) {}
FsWatcher::FsWatcher(FsWatcher&&) noexcept = default;

FsWatcher& FsWatcher::operator=(FsWatcher&& other) noexcept {
  if (this == &other) return *this;
  close();
  state_ = std::move(other.state_);
  return *this;
}

FsWatcher::~FsWatcher() { close(); }

std::optional<FsEvent> FsWatcher::try_next() { return state_->take(); }

std::optional<FsEvent> FsWatcher::next(WaitOptions options, SourceLocation location) {
  // Keeps the state alive: the watcher may be destroyed during the wait.
  const std::shared_ptr<State> state = state_;
  detail::require_scheduler("FsWatcher::next");
  options = detail::with_fixed_deadline(options);
  while (true) {
    if (auto fs_event = state->take()) return fs_event;
    if (state->queue->has_ended()) {
      if (auto error = state->queue->take_error()) std::rethrow_exception(error);
      return std::nullopt;
    }
    Event* events[] = {state->queue.get()};
    wait_any(events, options, location);
  }
}

void FsWatcher::close() noexcept {
  if (!state_) return;
  state_->queue->drop_all();
  state_->stop();
}

bool FsWatcher::is_closed() const noexcept { return state_->queue->has_ended(); }

Event& FsWatcher::event() const noexcept { return *state_->queue; }

}  // namespace trueasync
