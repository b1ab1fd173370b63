// CompositeError: several failures that belong together, none of them lost (SC-08, SC-09).
#pragma once

#include <exception>
#include <vector>

#include "trueasync/error.hpp"
#include "trueasync/export.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT CompositeError : public Error {
 public:
  CompositeError() : CompositeError(std::vector<std::exception_ptr>{}) {}
  explicit CompositeError(std::vector<std::exception_ptr> errors);
  ~CompositeError() override;
  void add(std::exception_ptr error) { errors_.push_back(std::move(error)); }
  // In the order they happened; empty when there were none.
  const std::vector<std::exception_ptr>& errors() const noexcept { return errors_; }

 private:
  std::vector<std::exception_ptr> errors_;
};

// Nothing for none, the error itself for one, a CompositeError for several.
TRUEASYNC_EXPORT std::exception_ptr combine_errors(std::vector<std::exception_ptr> errors);

}  // namespace trueasync
