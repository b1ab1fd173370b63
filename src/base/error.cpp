// The destructors are defined here so that each error type has a single type_info in the shared library. Exceptions can
// then be caught across library boundaries.
#include "trueasync/error.hpp"

#include <string>

namespace trueasync {

Error::~Error() = default;
MisuseError::~MisuseError() = default;
TimeoutError::~TimeoutError() = default;
StackError::~StackError() = default;
DeadlockError::~DeadlockError() = default;

namespace {

std::string to_text(const std::vector<std::exception_ptr>& errors) {
  std::string text = std::to_string(errors.size()) + " errors";
  for (const auto& error : errors) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& known) {
      text += std::string("; ") + known.what();
    } catch (...) {
      text += "; unknown";
    }
  }
  return text;
}

}  // namespace

CompositeError::CompositeError(std::vector<std::exception_ptr> errors)
    : Error(to_text(errors)), errors_(std::move(errors)) {}

CompositeError::~CompositeError() = default;

std::exception_ptr combine_errors(std::vector<std::exception_ptr> errors) {
  if (errors.empty()) return nullptr;
  if (errors.size() == 1) return std::move(errors.front());
  return std::make_exception_ptr(CompositeError(std::move(errors)));
}

}  // namespace trueasync
