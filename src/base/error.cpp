// The destructors live here so that each error type has one home in the shared library and can be caught across it.
#include "trueasync/error.hpp"

namespace trueasync {

Error::~Error() = default;
MisuseError::~MisuseError() = default;
TimeoutError::~TimeoutError() = default;
StackError::~StackError() = default;
DeadlockError::~DeadlockError() = default;

}  // namespace trueasync
