// A pool whose hooks are C functions, called directly (POOL-09).
#pragma once

#include "capi/handles.hpp"
#include "trueasync/detail/pool_base.hpp"

namespace trueasync::detail {

class CPool final : public PoolBase {
 public:
  // Owns the context from here on, whatever is wrong with the options. Throws as PoolBase does.
  static CPool* make(const ta_pool_options* given, SourceLocation location);

  ta_lease acquire(std::int64_t timeout_ns, SourceLocation location);
  // An empty one when nothing is free.
  ta_lease try_acquire(SourceLocation location);

 private:
  using PoolBase::PoolBase;
};

ta_lease lease_of(const LeaseHandle& ticket) noexcept;
LeaseHandle to_lease_handle(const ta_lease& lease, ResourceState condition) noexcept;

}  // namespace trueasync::detail
