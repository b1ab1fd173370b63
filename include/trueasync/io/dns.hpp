// dns.hpp: name lookups with the system's resolver on worker threads. A slow name server suspends only the calling
// coroutine.
//
// The number of concurrent lookups of a runtime is bounded, further lookups are queued, so file I/O always finds a
// worker thread. A numeric address needs no thread.
//
// Lifetime: an interrupted caller returns immediately; the worker thread finishes on its own.
// Thread safety: one runtime.
// Errors: DnsError ("resolve nohost.invalid: Name or service not known"), TimeoutError, OperationCancelled, Cancelled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trueasync/error.hpp"
#include "trueasync/event.hpp"
#include "trueasync/io/address.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync {

// DnsError: a lookup failed.
class TRUEASYNC_EXPORT DnsError : public Error {
 public:
  // `operation` names the lookup, for example "resolve example.org".
  DnsError(std::string operation, int code, int system_error = 0);
  ~DnsError() override;
  // EAI_NONAME, EAI_AGAIN or another code of <netdb.h>.
  int code() const noexcept { return code_; }
  // errno if code() is EAI_SYSTEM.
  int system_error() const noexcept { return system_error_; }
  // True if a later lookup may succeed, for example because the name server did not answer in time.
  bool is_temporary() const noexcept;
  const std::string& operation() const noexcept { return operation_; }

 private:
  std::string operation_;
  int code_;
  int system_error_;
};

// ResolveOptions: options of resolve().
struct ResolveOptions {
  AddressFamily family = AddressFamily::none;  // default: none, both families
};

// Lookup: a lookup as an event, for waiting on several events. It starts with the first wait.
class TRUEASYNC_EXPORT Lookup {
 public:
  explicit Lookup(std::string_view host, std::uint16_t port = 0, AddressFamily family = AddressFamily::none);
  Lookup(std::string_view host, std::string_view service, AddressFamily family = AddressFamily::none);

  Event& event() const noexcept { return *event_; }
  bool is_done() const noexcept;
  // The addresses in the resolver's order of preference; never empty. MisuseError before the lookup is done.
  std::vector<Address> addresses() const;

 private:
  std::string operation_;
  Ref<Event> event_;
};

// All addresses of a host in the resolver's order of preference; never empty.
TRUEASYNC_EXPORT std::vector<Address> resolve(std::string_view host, std::uint16_t port = 0,
                                              const ResolveOptions& options = {}, WaitOptions wait = {},
                                              SourceLocation location = SourceLocation::current());
// `service` is a name ("https") or a port number.
TRUEASYNC_EXPORT std::vector<Address> resolve(std::string_view host, std::string_view service,
                                              const ResolveOptions& options = {}, WaitOptions wait = {},
                                              SourceLocation location = SourceLocation::current());

// HostName: the result of reverse_lookup().
struct HostName {
  std::string host;
  std::string service;  // the name of the port, or its number
};

// The name of an address. DnsError (EAI_NONAME) if the address has no name.
TRUEASYNC_EXPORT HostName reverse_lookup(const Address& address, WaitOptions options = {},
                                         SourceLocation location = SourceLocation::current());

}  // namespace trueasync
