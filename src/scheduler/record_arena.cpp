#include "scheduler/record_arena.hpp"

#include <cstdlib>
#include <new>

namespace trueasync::detail {

RecordArena::~RecordArena() {
  TRUEASYNC_CHECK(live_ == 0, "record arena destroyed with live records");
  for (Chunk* chunk : chunks_) std::free(chunk);
}

void RecordArena::orphan() noexcept {
  orphaned_ = true;
  if (live_ == 0) delete this;
}

RecordArena::Chunk* RecordArena::add_chunk() {
  if (chunks_.size() == chunks_.capacity()) chunks_.reserve(chunks_.size() * 2 + 8);
  void* memory = std::aligned_alloc(kChunkBytes, kChunkBytes);
  if (!memory) throw std::bad_alloc();
  auto* chunk = static_cast<Chunk*>(memory);
  chunk->arena = this;
  chunk->free_records = nullptr;
  chunk->used = 0;
  chunk->position = static_cast<std::uint32_t>(chunks_.size());
  for (std::size_t i = kPerChunk; i-- > 0;) {
    Record& record = chunk->records[i];
    record.live = false;
    record.next_free = chunk->free_records;
    chunk->free_records = &record;
  }
  chunks_.push_back(chunk);
  ++empty_chunks_;
  make_available(chunk);
  return chunk;
}

void RecordArena::remove_chunk(Chunk* chunk) noexcept {
  --empty_chunks_;
  make_unavailable(chunk);
  chunks_[chunk->position] = chunks_.back();
  chunks_[chunk->position]->position = chunk->position;
  chunks_.pop_back();
  std::free(chunk);
}

void RecordArena::make_available(Chunk* chunk) noexcept {
  chunk->previous_available = nullptr;
  chunk->next_available = available_;
  if (available_) available_->previous_available = chunk;
  available_ = chunk;
}

void RecordArena::make_unavailable(Chunk* chunk) noexcept {
  (chunk->previous_available ? chunk->previous_available->next_available : available_) = chunk->next_available;
  if (chunk->next_available) chunk->next_available->previous_available = chunk->previous_available;
}

}  // namespace trueasync::detail
