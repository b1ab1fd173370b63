// Names and addresses: resolve() asks the system's resolver on a thread, so a slow name server suspends only who asked.
//
// At most a few lookups of a runtime occupy threads at once, the others wait their turn: file I/O goes on whatever the
// name server does. A numeric address never touches a thread. Threads: the runtime's. Lifetime: who stops waiting is free
// at once; a thread that is at it already ends on its own. Errors: DnsError ("resolve nohost.invalid: Name or service
// not known"), TimeoutError when `limit` passed, Cancelled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trueasync/address.hpp"
#include "trueasync/error.hpp"
#include "trueasync/event.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/stream.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT DnsError : public Error {
 public:
  // `operation` names what was looked for: "resolve example.org".
  DnsError(std::string operation, int code, int system_error = 0);
  ~DnsError() override;
  // EAI_NONAME, EAI_AGAIN, … of <netdb.h>.
  int code() const noexcept { return code_; }
  // errno when code() is EAI_SYSTEM.
  int system_error() const noexcept { return system_error_; }
  // The answer may be another one later: the name server did not answer in time.
  bool is_temporary() const noexcept;
  const std::string& operation() const noexcept { return operation_; }

 private:
  std::string operation_;
  int code_;
  int system_error_;
};

struct ResolveOptions {
  AddressFamily family = AddressFamily::none;  // none: both
  Limit timeout = std::nullopt;
};

// A lookup as an event, for waits of several things. It begins when it is first waited for.
class TRUEASYNC_EXPORT Lookup {
 public:
  explicit Lookup(std::string_view host, std::uint16_t port = 0, AddressFamily family = AddressFamily::none);
  Lookup(std::string_view host, std::string_view service, AddressFamily family = AddressFamily::none);

  Event& event() const noexcept { return *event_; }
  bool is_done() const noexcept;
  // In the order the resolver prefers; never empty. MisuseError before it is done.
  std::vector<Address> addresses() const;

 private:
  std::string operation_;
  Ref<Event> event_;
};

// Every address of a host, in the order the resolver prefers; never empty.
TRUEASYNC_EXPORT std::vector<Address> resolve(std::string_view host, std::uint16_t port = 0,
                                              const ResolveOptions& options = {},
                                              SourceLocation location = SourceLocation::current());
// With a service by name ("https") or number.
TRUEASYNC_EXPORT std::vector<Address> resolve(std::string_view host, std::string_view service,
                                              const ResolveOptions& options = {},
                                              SourceLocation location = SourceLocation::current());

struct HostName {
  std::string host;
  std::string service;  // the port's name, or its number when it has none
};

// The name of an address. An address without a name is a DnsError (EAI_NONAME).
TRUEASYNC_EXPORT HostName reverse_lookup(const Address& address, Limit timeout = std::nullopt,
                                         SourceLocation location = SourceLocation::current());

}  // namespace trueasync
