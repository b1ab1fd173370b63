// ChannelModel: a simple model of a channel. The test reports every call and cancellation to the model when it happens.
// The model computes the result that each call must have.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

namespace trueasync::test {

enum class Expected { pending, done, closed, cancelled };

// ModelCall: one call of one coroutine.
struct ModelCall {
  int value = 0;  // sent or received
  Expected expected = Expected::pending;
  unsigned sequence = 0;
  bool is_sender = false;
};

class ChannelModel {
 public:
  explicit ChannelModel(std::size_t capacity) : capacity_(capacity) {}

  std::size_t count() const { return buffer_.size() + returned_.size(); }

  // False if the call must wait.
  bool try_send(ModelCall& call) {
    if (closed_) {
      call.expected = Expected::closed;
      return true;
    }
    if (!receivers_.empty()) {
      deliver(call.value, next_sequence_++);
    } else if (count() < capacity_) {
      buffer_.push_back(call.value);
    } else {
      return false;
    }
    call.expected = Expected::done;
    return true;
  }

  bool try_receive(ModelCall& call) {
    call.sequence = next_sequence_;
    if (!returned_.empty()) {
      call.sequence = returned_.begin()->first;
      call.value = returned_.begin()->second;
      returned_.erase(returned_.begin());
    } else if (!buffer_.empty()) {
      call.value = buffer_.front();
      buffer_.pop_front();
    } else if (!senders_.empty()) {
      call.value = senders_.front()->value;
      senders_.front()->expected = Expected::done;
      senders_.pop_front();
    } else if (closed_) {
      call.expected = Expected::closed;
      return true;
    } else {
      return false;
    }
    call.expected = Expected::done;
    if (call.sequence == next_sequence_) ++next_sequence_;
    while (!senders_.empty() && count() < capacity_) {
      buffer_.push_back(senders_.front()->value);
      senders_.front()->expected = Expected::done;
      senders_.pop_front();
    }
    return true;
  }

  void wait(ModelCall& call) { (call.is_sender ? senders_ : receivers_).push_back(&call); }

  // The coroutine is cancelled before the call returns, or the future is destroyed.
  void cancel(ModelCall& call) {
    auto& queue = call.is_sender ? senders_ : receivers_;
    if (auto position = std::find(queue.begin(), queue.end(), &call); position != queue.end()) {
      queue.erase(position);
    } else if (call.is_sender && call.expected == Expected::done) {
      return;  // the value is sent, so the call succeeds
    } else if (call.expected == Expected::done) {
      if (receivers_.empty()) {
        returned_.emplace(call.sequence, call.value);
      } else {
        deliver(call.value, call.sequence);
      }
    }
    call.expected = Expected::cancelled;
  }

  void close() {
    if (closed_) return;
    closed_ = true;
    for (ModelCall* call : receivers_) call->expected = Expected::closed;
    for (ModelCall* call : senders_) call->expected = Expected::closed;
    receivers_.clear();
    senders_.clear();
  }

 private:
  void deliver(int value, unsigned sequence) {
    ModelCall& receiver = *receivers_.front();
    receivers_.pop_front();
    receiver.value = value;
    receiver.sequence = sequence;
    receiver.expected = Expected::done;
  }

  std::size_t capacity_;
  std::deque<int> buffer_;
  std::map<unsigned, int> returned_;
  std::deque<ModelCall*> senders_;
  std::deque<ModelCall*> receivers_;
  unsigned next_sequence_ = 0;
  bool closed_ = false;
};

}  // namespace trueasync::test
