#include "peers/boost_fiber/pool.hpp"

#include <boost/fiber/all.hpp>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "support/pool.hpp"

namespace {

namespace fibers = boost::fibers;

struct Runtime {
  using Handle = fibers::fiber;

  template <class F>
  Handle spawn(F function) {
    return fibers::fiber(std::allocator_arg, stacks, std::move(function));
  }
  void join(Handle& handle) { handle.join(); }
  void yield() { boost::this_fiber::yield(); }

  fibers::pooled_fixedsize_stack stacks;
};

class Pool {
 public:
  class Lease {
   public:
    Lease(Pool& pool, std::uint64_t* resource) : pool_(&pool), resource_(resource) {}
    Lease(Lease&& other) noexcept : pool_(other.pool_), resource_(std::exchange(other.resource_, nullptr)) {}
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (resource_) pool_->release(resource_);
    }
    std::uint64_t& operator*() const { return *resource_; }

   private:
    Pool* pool_;
    std::uint64_t* resource_;
  };

  explicit Pool(std::uint64_t resources) : all_(resources) {
    for (std::uint64_t& resource : all_) idle_.push_back(&resource);
  }

  Lease acquire() {
    std::unique_lock<fibers::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !idle_.empty(); });
    std::uint64_t* resource = idle_.back();
    idle_.pop_back();
    return Lease(*this, resource);
  }

 private:
  void release(std::uint64_t* resource) {
    {
      std::unique_lock<fibers::mutex> lock(mutex_);
      idle_.push_back(resource);
    }
    changed_.notify_one();
  }

  fibers::mutex mutex_;
  fibers::condition_variable changed_;
  std::vector<std::uint64_t> all_;
  std::vector<std::uint64_t*> idle_;
};

}  // namespace

void pool_alone(std::uint64_t) {
  Runtime runtime;
  bench::pool_alone<Runtime, Pool>(runtime);
}

void pool_shared(std::uint64_t users) {
  Runtime runtime;
  bench::pool_shared<Runtime, Pool>(runtime, users);
}

void pool_waiters(std::uint64_t) {
  Runtime runtime;
  bench::pool_waiters<Runtime, Pool>(runtime);
}
