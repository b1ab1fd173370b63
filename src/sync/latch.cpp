#include "trueasync/latch.hpp"

#include "trueasync/error.hpp"

namespace trueasync {

void Latch::count_down(std::size_t by) {
  if (by > count_) throw MisuseError("a latch or wait group was counted below zero");
  count_ -= by;
  if (count_ == 0) queue_.wake_all();
}

}  // namespace trueasync
