// RecordArena: allocates fixed-size records for a control block and a small closure. Allocation pops from a free list.
// One empty chunk stays in reserve; further empty chunks are freed. Walking the chunks finds all live coroutines
// without links between them.
//
// Lifetime: the arena outlives its scheduler while handles keep records alive (orphan()).
// Thread safety: the scheduler's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scheduler/control_block.hpp"

namespace trueasync::detail {

class RecordArena {
 public:
  struct Record {
    alignas(64) unsigned char block[sizeof(ControlBlock)];
    static constexpr std::size_t kStorage = 56;
    union {
      alignas(8) unsigned char storage[kStorage];
      Record* next_free;  // while free
    };
    bool live;
  };

  static RecordArena* make() { return new RecordArena; }
  // The scheduler is being destroyed: the arena deletes itself with its last record.
  void orphan() noexcept;

  // Throws std::bad_alloc.
  Record* allocate() {
    Chunk* chunk = available_ ? available_ : add_chunk();
    Record* record = chunk->free_records;
    chunk->free_records = record->next_free;
    if (!chunk->free_records) make_unavailable(chunk);
    if (chunk->used++ == 0) --empty_chunks_;
    record->live = true;
    ++live_;
    return record;
  }
  void free(Record* record) noexcept {
    Chunk* chunk = chunk_of(record);
    record->live = false;
    if (!chunk->free_records) make_available(chunk);
    record->next_free = chunk->free_records;
    chunk->free_records = record;
    --live_;
    if (--chunk->used == 0 && ++empty_chunks_ > 1) remove_chunk(chunk);
    if (orphaned_ && live_ == 0) delete this;
  }

  static Record* record_of(ControlBlock* block) noexcept { return reinterpret_cast<Record*>(block); }
  static RecordArena& of(ControlBlock& block) noexcept { return *chunk_of(record_of(&block))->arena; }

  std::size_t live() const noexcept { return live_; }
  bool is_orphaned() const noexcept { return orphaned_; }
  std::size_t chunks() const noexcept { return chunks_.size(); }

  // The live block at `address`, or null. `address` may dangle: it is not dereferenced.
  const ControlBlock* find(const ControlBlock* address) const noexcept {
    for (const Chunk* chunk : chunks_) {
      auto* record = reinterpret_cast<const Record*>(address);
      if (record < chunk->records || record >= chunk->records + kPerChunk) continue;
      return record->live ? address : nullptr;
    }
    return nullptr;
  }

  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (const Chunk* chunk : chunks_) {
      for (std::size_t i = 0; i < kPerChunk; ++i) {
        if (chunk->records[i].live)
          visit(*reinterpret_cast<ControlBlock*>(const_cast<Record*>(&chunk->records[i])->block));
      }
    }
  }

 private:
  static constexpr std::size_t kChunkBytes = 64 * 1024;
  struct Chunk;
  static constexpr std::size_t kPerChunk = (kChunkBytes - 64) / sizeof(Record);
  struct Chunk {
    RecordArena* arena;
    Record* free_records;
    Chunk* next_available;
    Chunk* previous_available;
    std::uint32_t used;
    std::uint32_t position;  // in chunks_
    alignas(64) Record records[kPerChunk];
  };
  static_assert(sizeof(Chunk) <= kChunkBytes);
  // The context is larger with a sanitizer or the Boost switch.
  static_assert(sizeof(Context) > 40 || sizeof(Record) == 320, "docs/decisions/0004-control-block.md");

  static Chunk* chunk_of(Record* record) noexcept {
    return reinterpret_cast<Chunk*>(reinterpret_cast<std::uintptr_t>(record) & ~(kChunkBytes - 1));
  }

  RecordArena() = default;
  ~RecordArena();
  Chunk* add_chunk();
  void remove_chunk(Chunk* chunk) noexcept;
  void make_available(Chunk* chunk) noexcept;
  void make_unavailable(Chunk* chunk) noexcept;

  std::vector<Chunk*> chunks_;
  Chunk* available_ = nullptr;
  std::size_t live_ = 0;
  std::size_t empty_chunks_ = 0;
  bool orphaned_ = false;
};

}  // namespace trueasync::detail
