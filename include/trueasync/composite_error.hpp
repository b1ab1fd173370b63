// CompositeError: several errors thrown as one.
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
  // In the order in which they happened; may be empty.
  const std::vector<std::exception_ptr>& errors() const noexcept { return errors_; }

 private:
  std::vector<std::exception_ptr> errors_;
};

// Null for no error, the error itself for one, a CompositeError for several.
TRUEASYNC_EXPORT std::exception_ptr combine_errors(std::vector<std::exception_ptr> errors);

}  // namespace trueasync
