// What a channel should do, as simply as it can be said: it is told of every call and every cancellation at the moment
// it happens, and says what each call must end with.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

namespace trueasync::test {

enum class Expected { pending, done, closed, cancelled };

// One call of one coroutine.
struct ModelCall {
  int value = 0;  // sent, or received
  Expected expected = Expected::pending;
  unsigned ticket = 0;
  bool is_sender = false;
};

class ChannelModel {
 public:
  explicit ChannelModel(std::size_t capacity) : capacity_(capacity) {}

  std::size_t count() const { return buffer_.size() + returned_.size(); }

  // False: it would have to wait.
  bool try_send(ModelCall& call) {
    if (closed_) {
      call.expected = Expected::closed;
      return true;
    }
    if (!receivers_.empty()) {
      give(call.value, next_ticket_++);
    } else if (count() < capacity_) {
      buffer_.push_back(call.value);
    } else {
      return false;
    }
    call.expected = Expected::done;
    return true;
  }

  bool try_receive(ModelCall& call) {
    call.ticket = next_ticket_;
    if (!returned_.empty()) {
      call.ticket = returned_.begin()->first;
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
    if (call.ticket == next_ticket_) ++next_ticket_;
    while (!senders_.empty() && count() < capacity_) {
      buffer_.push_back(senders_.front()->value);
      senders_.front()->expected = Expected::done;
      senders_.pop_front();
    }
    return true;
  }

  void wait(ModelCall& call) { (call.is_sender ? senders_ : receivers_).push_back(&call); }

  // Its coroutine is cancelled before it has returned from the call, or its future is dropped.
  void cancel(ModelCall& call) {
    auto& queue = call.is_sender ? senders_ : receivers_;
    if (auto at = std::find(queue.begin(), queue.end(), &call); at != queue.end()) {
      queue.erase(at);
    } else if (call.is_sender && call.expected == Expected::done) {
      return;  // it has sent
    } else if (call.expected == Expected::done) {
      if (receivers_.empty()) {
        returned_.emplace(call.ticket, call.value);
      } else {
        give(call.value, call.ticket);
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
  void give(int value, unsigned ticket) {
    ModelCall& receiver = *receivers_.front();
    receivers_.pop_front();
    receiver.value = value;
    receiver.ticket = ticket;
    receiver.expected = Expected::done;
  }

  std::size_t capacity_;
  std::deque<int> buffer_;
  std::map<unsigned, int> returned_;
  std::deque<ModelCall*> senders_;
  std::deque<ModelCall*> receivers_;
  unsigned next_ticket_ = 0;
  bool closed_ = false;
};

}  // namespace trueasync::test
