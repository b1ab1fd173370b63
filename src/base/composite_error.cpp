#include "trueasync/composite_error.hpp"

#include <string>

namespace trueasync {

namespace {

std::string text_of(const std::vector<std::exception_ptr>& errors) {
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
    : Error(text_of(errors)), errors_(std::move(errors)) {}

CompositeError::~CompositeError() = default;

std::exception_ptr combine_errors(std::vector<std::exception_ptr> errors) {
  if (errors.empty()) return nullptr;
  if (errors.size() == 1) return std::move(errors.front());
  return std::make_exception_ptr(CompositeError(std::move(errors)));
}

}  // namespace trueasync
