#include "interpose/descriptor_table.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace trueasync::detail::interpose {

namespace {

constexpr std::size_t kCloseCounters = 1 << 16;
constinit std::array<std::atomic<std::uint32_t>, kCloseCounters> close_counts{};

// Replaced calls also run during the destruction of thread-local variables, so `current` must be trivially
// destructible.
constinit thread_local DescriptorTable* current = nullptr;
struct TableOwner {
  std::shared_ptr<DescriptorTable> table;
  ~TableOwner() { current = nullptr; }
};
thread_local TableOwner owner;

}  // namespace

std::atomic<std::uint32_t>& close_count(int fd) noexcept {
  return close_counts[static_cast<unsigned>(fd) % kCloseCounters];
}

DescriptorTable::DescriptorTable(Reactor& reactor) noexcept : reactor_(&reactor), pid_(::getpid()) {}

DescriptorTable* DescriptorTable::existing() noexcept { return current; }

DescriptorTable& DescriptorTable::of(Reactor& reactor) {
  if (!current || current->reactor_ != &reactor) {
    auto table = std::make_shared<DescriptorTable>(reactor);
    table->self_ = table;
    reactor.observers().push_back(*table);
    current = table.get();
    owner.table = std::move(table);
  }
  return *current;
}

void DescriptorTable::on_reactor_closed() noexcept {
  reactor_ = nullptr;
  slots_.clear();
  stale_registrations_.clear();
  const std::shared_ptr<DescriptorTable> keep_alive = std::move(self_);
}

TrackedDescriptor* DescriptorTable::find_revalidated(int fd) noexcept {
  const auto index = static_cast<std::size_t>(fd);
  const std::uint32_t count = close_count(fd).load(std::memory_order_relaxed);
  if (!revalidate(*slots_[index].descriptor)) return nullptr;
  slots_[index].seen_close_count = count;
  return slots_[index].descriptor.get();
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
  if (TrackedDescriptor* tracked = find(fd)) {
    kind = tracked->kind();
    return Ref<TrackedDescriptor>(tracked);
  }
  const std::uint32_t count = close_count(fd).load(std::memory_order_relaxed);
  const FileIdentity identity = FileIdentity::of(fd);
  kind = identity.kind;
  if (kind == DescriptorKind::file || kind == DescriptorKind::bad) return nullptr;
  auto descriptor = Ref<TrackedDescriptor>::adopt(new TrackedDescriptor(fd, identity));
  if (!has_stable_identity(kind)) return descriptor;
  const auto index = static_cast<std::size_t>(fd);
  if (index >= slots_.size()) slots_.resize(std::max(index + 1, 2 * slots_.size()));
  slots_[index] = {descriptor, count};
  return descriptor;
}

void DescriptorTable::abandon(int fd) noexcept {
  const auto index = static_cast<std::size_t>(fd);
  if (index >= slots_.size() || !slots_[index].descriptor) return;
  const Ref<TrackedDescriptor> abandoned = std::exchange(slots_[index].descriptor, nullptr);
  Ref<DescriptorRegistration> registration = abandoned->abandon();
  if (registration && reactor_)
    stale_registrations_.add(fd, abandoned->identity().node, std::move(registration), reactor_->backend_fd());
}

void DescriptorTable::close(int fd) noexcept {
  const auto index = static_cast<std::size_t>(fd);
  if (fd < 0 || index >= slots_.size() || !slots_[index].descriptor) return;
  // Before exec() a child closes its own descriptors, after vfork() even in the parent's memory.
  if (::getpid() != pid_) return;
  // If the number refers to another file, closing this registration would remove that file from epoll.
  if (!revalidate(*slots_[index].descriptor)) return;
  const Ref<TrackedDescriptor> closed = std::exchange(slots_[index].descriptor, nullptr);
  closed->close();
}

void DescriptorTable::adopt_in_forked_child() noexcept { pid_ = ::getpid(); }

void DescriptorTable::close_range(unsigned first, unsigned last) noexcept {
  for (std::size_t fd = first; fd < slots_.size() && fd <= last; ++fd) close(static_cast<int>(fd));
}

}  // namespace trueasync::detail::interpose
