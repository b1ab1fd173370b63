// Slab: one mapping that holds many stacks of one size, and their records. A stack is carved (guarded, its record
// filled in) on first use; guards are installed in batches.
//
//   base                limit                              start     top
//   |  guard            |  usable, grows down  <---------- |  color  |
//
// Ownership: owns the mapping and the records.
// Thread safety: one thread.
// Errors: functions return null and set errno where stated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "context/guard.hpp"

namespace trueasync::detail {

// Cache coloring: first frames start at different offsets in their pages, so that many stacks do not compete for the
// same few cache sets. The last color leaves 2.6 KiB of the top page (docs/decisions/0003-stacks.md).
constexpr std::size_t kColors = 24;
constexpr std::size_t kColorStep = 64;

class Slab;

// One stack. States: carved → in use ⇄ free (warm) → free (cold). `next` links it into the free list that holds it
// (warm: the pool's; cold: its slab's), `prev` is kept by the warm list only.
struct Stack {
  Slab* slab;
  Stack* next;
  Stack* prev;
  std::uint32_t index;
  bool in_use;
  bool cold;

  std::uint8_t* base() const noexcept;   // lowest byte, where the guard starts
  std::uint8_t* limit() const noexcept;  // lowest usable byte
  std::uint8_t* top() const noexcept;    // one past the highest byte
  std::uint8_t* start() const noexcept;  // the first frame's address: top minus the color offset, 64-byte aligned
  std::size_t size() const noexcept;     // base to top
};

class Slab {
 public:
  // Returns null if the address space or the heap has no room for `count` stacks.
  static std::unique_ptr<Slab> map(std::size_t count, std::size_t stack_size, std::size_t guard_size) noexcept;
  ~Slab();
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  // Returns the next unused stack with its guard installed, or null if all are carved or the guard fails (errno is
  // set).
  Stack* carve(GuardKind guard) noexcept;

  // Stacks whose memory was returned to the kernel. The slab can be unmapped when all carved stacks are cold.
  void push_cold(Stack& stack) noexcept;
  Stack* pop_cold() noexcept;
  bool has_cold() const noexcept { return cold_ != nullptr; }
  bool is_idle() const noexcept { return cold_count_ == carved_; }

  std::size_t count() const noexcept { return count_; }
  std::size_t carved() const noexcept { return carved_; }
  std::size_t stack_size() const noexcept { return stack_size_; }
  std::size_t guard_size() const noexcept { return guard_size_; }
  std::uint8_t* memory() const noexcept { return memory_; }
  const Stack& stack(std::size_t index) const noexcept { return stacks_[index]; }

 private:
  Slab(std::uint8_t* memory, std::unique_ptr<Stack[]> stacks, std::size_t count, std::size_t stack_size,
       std::size_t guard_size) noexcept;
  bool guard_more(GuardKind guard) noexcept;

  std::uint8_t* memory_;
  std::size_t stack_size_;
  std::size_t guard_size_;
  std::unique_ptr<Stack[]> stacks_;
  std::size_t count_;
  std::size_t carved_ = 0;
  std::size_t guarded_ = 0;     // carved_ <= guarded_ <= count_
  std::size_t mprotected_ = 0;  // guards that count against vm.max_map_count
  Stack* cold_ = nullptr;
  std::size_t cold_count_ = 0;
  std::vector<unsigned> valgrind_ids_;  // empty outside valgrind
};

inline std::uint8_t* Stack::base() const noexcept { return slab->memory() + index * slab->stack_size(); }
inline std::uint8_t* Stack::limit() const noexcept { return base() + slab->guard_size(); }
inline std::uint8_t* Stack::top() const noexcept { return base() + slab->stack_size(); }
inline std::uint8_t* Stack::start() const noexcept { return top() - index % kColors * kColorStep; }
inline std::size_t Stack::size() const noexcept { return slab->stack_size(); }

}  // namespace trueasync::detail
