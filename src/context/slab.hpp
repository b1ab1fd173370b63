// One mapping that holds many stacks of one size, and the dense records of them. A stack is carved (guarded, its record
// filled in) when it is first wanted; guards are made a batch at a time.
//
//   base                limit                              start      top
//   |  guard            |  usable, grows down  <---------- |  colour  |
//
// Owns: the mapping and the records. Lifetime: its pool's. Threads: one. Errors: null or errno, as said per function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "context/guard.hpp"

namespace trueasync::detail {

// First frames start at different offsets in their pages, so that round robin over many stacks does not fight for the
// same few cache sets. The last colour leaves 2.6 KiB of the top page (docs/decisions/0003-stacks.md).
constexpr std::size_t kColours = 24;
constexpr std::size_t kColourStep = 64;

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
  std::uint8_t* start() const noexcept;  // where the first frame goes: top less the colour, 64-byte aligned
  std::size_t size() const noexcept;     // base to top
};

class Slab {
 public:
  // Null: neither the address space nor the heap has room for `count` stacks.
  static std::unique_ptr<Slab> map(std::size_t count, std::size_t stack_size, std::size_t guard_size) noexcept;
  ~Slab();
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  // The next stack never used before, guarded. Null when all are carved, or when no guard can be made (errno).
  Stack* carve(GuardKind guard) noexcept;

  // Stacks whose memory was given back. The slab can go when all that were carved are cold.
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
inline std::uint8_t* Stack::start() const noexcept { return top() - index % kColours * kColourStep; }
inline std::size_t Stack::size() const noexcept { return slab->stack_size(); }

}  // namespace trueasync::detail
