#include "interpose/descriptor_table.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace trueasync::detail::interpose {

namespace {

constexpr std::size_t kCounts = 1 << 16;
constinit std::array<std::atomic<std::uint32_t>, kCounts> closings{};

// Calls come also while a thread's own variables are being destroyed.
constinit thread_local DescriptorTable* own = nullptr;
struct Holder {
  std::shared_ptr<DescriptorTable> table;
  ~Holder() { own = nullptr; }
};
thread_local Holder holder;

}  // namespace

std::atomic<std::uint32_t>& close_count(int fd) noexcept { return closings[static_cast<unsigned>(fd) % kCounts]; }

DescriptorTable::DescriptorTable(Reactor& reactor) noexcept : reactor_(&reactor), process_(::getpid()) {}

DescriptorTable* DescriptorTable::existing() noexcept { return own; }

DescriptorTable& DescriptorTable::of(Reactor& reactor) {
  if (!own || own->reactor_ != &reactor) {
    auto fresh = std::make_shared<DescriptorTable>(reactor);
    fresh->self_ = fresh;
    reactor.observers().push_back(*fresh);
    own = fresh.get();
    holder.table = std::move(fresh);
  }
  return *own;
}

void DescriptorTable::on_reactor_closed() noexcept {
  reactor_ = nullptr;
  places_.clear();
  orphans_.clear();
  std::shared_ptr<DescriptorTable> last = std::move(self_);
}

TrackedDescriptor* DescriptorTable::find_revalidated(int fd) noexcept {
  const auto index = static_cast<std::size_t>(fd);
  const std::uint32_t count = close_count(fd).load(std::memory_order_relaxed);
  if (!revalidate(*places_[index].descriptor)) return nullptr;
  places_[index].closings = count;
  return places_[index].descriptor.get();
}

bool DescriptorTable::revalidate(TrackedDescriptor& descriptor) noexcept {
  if (descriptor.is_closed()) return false;
  if (descriptor.identity().matches(descriptor.number())) return true;
  abandon(descriptor.number());
  return false;
}

Ref<TrackedDescriptor> DescriptorTable::get(int fd, DescriptorKind& kind) {
  if (fd < 0) {
    kind = DescriptorKind::bad;
    return nullptr;
  }
  if (TrackedDescriptor* known = find(fd)) {
    kind = known->kind();
    return Ref<TrackedDescriptor>(known);
  }
  const std::uint32_t count = close_count(fd).load(std::memory_order_relaxed);
  const FileIdentity identity = FileIdentity::of(fd);
  kind = identity.kind;
  if (kind == DescriptorKind::file || kind == DescriptorKind::bad) return nullptr;
  auto fresh = Ref<TrackedDescriptor>::adopt(new TrackedDescriptor(fd, identity));
  if (!has_stable_identity(kind)) return fresh;
  const auto index = static_cast<std::size_t>(fd);
  if (index >= places_.size()) places_.resize(std::max(index + 1, 2 * places_.size()));
  places_[index] = {fresh, count};
  return fresh;
}

void DescriptorTable::abandon(int fd) noexcept {
  const auto index = static_cast<std::size_t>(fd);
  if (index >= places_.size() || !places_[index].descriptor) return;
  const Ref<TrackedDescriptor> lost = std::exchange(places_[index].descriptor, nullptr);
  Ref<DescriptorRegistration> watch = lost->abandon();
  if (watch && reactor_) orphans_.add(fd, lost->identity().node, std::move(watch), reactor_->backend_fd());
}

void DescriptorTable::close(int fd) noexcept {
  const auto index = static_cast<std::size_t>(fd);
  if (fd < 0 || index >= places_.size() || !places_[index].descriptor) return;
  // A child that has not called exec() yet closes descriptors of its own, perhaps in our memory (vfork).
  if (::getpid() != process_) return;
  // By now the number may mean another one, which this one's registration must not take along.
  if (!revalidate(*places_[index].descriptor)) return;
  const Ref<TrackedDescriptor> closed = std::exchange(places_[index].descriptor, nullptr);
  closed->close();
}

void DescriptorTable::adopt_in_forked_child() noexcept { process_ = ::getpid(); }

void DescriptorTable::close_range(unsigned first, unsigned last) noexcept {
  for (std::size_t fd = first; fd < places_.size() && fd <= last; ++fd) close(static_cast<int>(fd));
}

}  // namespace trueasync::detail::interpose
