// ScopeMembers: the coroutines of a scope, in spawn order. Each member stores its index. Removal leaves a hole; compact()
// runs when more than half of the entries are holes, so add() and remove() are amortized O(1).
#pragma once

#include <vector>

#include "scheduler/control_block.hpp"

namespace trueasync::detail {

class ScopeMembers {
 public:
  // Throws std::bad_alloc without any effect.
  void add(ControlBlock& block) {
    blocks_.push_back(&block);
    block.owner_slot = static_cast<std::uint32_t>(blocks_.size() - 1);
    ++count_;
  }

  void remove(ControlBlock& block) noexcept {
    blocks_[block.owner_slot & ~kDetached] = nullptr;
    --count_;
    if (iteration_depth_ == 0 && blocks_.size() > 2 * count_ + kSlack) compact();
  }

  std::size_t size() const noexcept { return count_; }

  // Marks the coroutine as a zombie: it stays a member, but does not count as active.
  static void detach(ControlBlock& block) noexcept { block.owner_slot |= kDetached; }
  static bool is_detached(const ControlBlock& block) noexcept { return (block.owner_slot & kDetached) != 0; }

  // `visit` may remove and add members. Members added during the iteration are visited too.
  template <class Visitor>
  void for_each(Visitor&& visit) noexcept {
    ++iteration_depth_;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i]) visit(*blocks_[i]);
    }
    --iteration_depth_;
  }

 private:
  static constexpr std::size_t kSlack = 16;  // holes that are always tolerated
  static constexpr std::uint32_t kDetached = std::uint32_t{1} << 31;

  void compact() noexcept {
    std::size_t filled = 0;
    for (ControlBlock* block : blocks_) {
      if (!block) continue;
      block->owner_slot = static_cast<std::uint32_t>(filled) | (block->owner_slot & kDetached);
      blocks_[filled++] = block;
    }
    blocks_.resize(filled);
  }

  std::vector<ControlBlock*> blocks_;
  std::size_t count_ = 0;
  unsigned iteration_depth_ = 0;  // indexes must not change during for_each()
};

}  // namespace trueasync::detail
