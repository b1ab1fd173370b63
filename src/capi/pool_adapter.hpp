// CPool: a pool whose hooks are C functions, called directly.
#pragma once

#include "capi/handles.hpp"
#include "trueasync/detail/pool_base.hpp"

namespace trueasync::detail {

class CPool final : public PoolBase {
 public:
  // Takes ownership of the context, also if it throws. Throws as PoolBase does, and MisuseError for invalid options.
  static CPool* make(const ta_pool_options* caller_options, SourceLocation location);

  ta_lease acquire(std::int64_t timeout_ns, SourceLocation location);
  // Returns an empty lease if no resource is idle.
  ta_lease try_acquire(SourceLocation location);

 private:
  using PoolBase::PoolBase;
};

ta_lease to_lease(const LeaseHandle& handle) noexcept;
LeaseHandle to_lease_handle(const ta_lease& lease, ResourceState state) noexcept;

}  // namespace trueasync::detail
