// The coroutines of one scope, in the order they came. Leaving makes a hole; holes are closed when they are the greater
// part, so both ways cost O(1) on average, and a record needs four bytes for it.
#pragma once

#include <vector>

#include "scheduler/control_block.hpp"

namespace trueasync::detail {

class ScopeMembers {
 public:
  // Throws std::bad_alloc and changes nothing.
  void add(ControlBlock& block) {
    blocks_.push_back(&block);
    block.owner_slot = static_cast<std::uint32_t>(blocks_.size() - 1);
    ++count_;
  }

  void remove(ControlBlock& block) noexcept {
    blocks_[block.owner_slot & ~kLetGo] = nullptr;
    --count_;
    if (walks_ == 0 && blocks_.size() > 2 * count_ + kSlack) compact();
  }

  std::size_t size() const noexcept { return count_; }

  // A zombie: it stays, but does not count as active.
  static void detach(ControlBlock& block) noexcept { block.owner_slot |= kLetGo; }
  static bool is_let_go(const ControlBlock& block) noexcept { return (block.owner_slot & kLetGo) != 0; }

  // `visit` may make members leave; who comes meanwhile is visited too.
  template <class Visitor>
  void for_each(Visitor&& visit) noexcept {
    ++walks_;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i]) visit(*blocks_[i]);
    }
    --walks_;
  }

 private:
  static constexpr std::size_t kSlack = 16;
  static constexpr std::uint32_t kLetGo = std::uint32_t{1} << 31;

  void compact() noexcept {
    std::size_t filled = 0;
    for (ControlBlock* block : blocks_) {
      if (!block) continue;
      block->owner_slot = static_cast<std::uint32_t>(filled) | (block->owner_slot & kLetGo);
      blocks_[filled++] = block;
    }
    blocks_.resize(filled);
  }

  std::vector<ControlBlock*> blocks_;
  std::size_t count_ = 0;
  unsigned walks_ = 0;
};

}  // namespace trueasync::detail
