// A pool whose hooks are C functions, called directly (POOL-09).
#pragma once

#include "capi/handles.hpp"
#include "trueasync/detail/pool_base.hpp"

namespace trueasync::detail {

class CPool final : public PoolBase {
 public:
  // Owns the context from here on, whatever is wrong with the options. Throws as PoolBase does.
  static CPool* make(const ta_pool_options* given, Place place);

  ta_lease acquire(std::int64_t limit, Place place);
  // An empty one when nothing is free.
  ta_lease try_acquire(Place place);

 private:
  using PoolBase::PoolBase;
};

ta_lease lease_of(const PoolTicket& ticket) noexcept;
PoolTicket ticket_of(const ta_lease& lease, ResourceState condition) noexcept;

}  // namespace trueasync::detail
