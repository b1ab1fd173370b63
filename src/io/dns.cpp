#include "trueasync/io/dns.hpp"

#include <netdb.h>

#include <charconv>
#include <cstring>

#include "reactor/lookup_event.hpp"
#include "scheduler/api_support.hpp"

namespace trueasync {

namespace {

using detail::LookupEvent;
using detail::LookupQuery;
using detail::LookupResult;
using detail::RawAddress;

// A lookup whose result is known without the resolver.
class ResolvedLookup final : public LookupEvent {
 public:
  explicit ResolvedLookup(LookupResult result) noexcept { finish(std::move(result)); }
};

Ref<Event> resolved_lookup(const Address& address) {
  LookupResult result;
  result.addresses.emplace_back();
  std::memcpy(&result.addresses[0].storage, address.data(), address.size());
  result.addresses[0].length = address.size();
  return Ref<ResolvedLookup>::adopt(new ResolvedLookup(std::move(result)));
}

Ref<Event> failed_lookup(int eai) {
  LookupResult result;
  result.eai = eai;
  return Ref<ResolvedLookup>::adopt(new ResolvedLookup(std::move(result)));
}

int to_raw_family(AddressFamily family) noexcept {
  if (family == AddressFamily::ipv4) return AF_INET;
  return family == AddressFamily::ipv6 ? AF_INET6 : AF_UNSPEC;
}

bool parse_port(std::string_view service, std::uint16_t& port) noexcept {
  const auto [end, error] = std::from_chars(service.data(), service.data() + service.size(), port);
  return error == std::errc{} && end == service.data() + service.size();
}

Ref<Event> new_lookup_event(std::string_view host, std::string_view service, AddressFamily family) {
  std::uint16_t port = 0;
  if (family == AddressFamily::unix_domain)
    throw MisuseError("resolve " + std::string(host) + ": the family must be none, ipv4 or ipv6");
  // getaddrinfo() resolves an empty host to the loopback address and stops reading at a NUL.
  if (host.empty() || host.find('\0') != host.npos || service.find('\0') != service.npos)
    return failed_lookup(EAI_NONAME);
  if (service.empty() || parse_port(service, port)) {
    if (const auto address = Address::try_ip(host, port)) {
      const bool fits = family == AddressFamily::none || family == address->family();
      return fits ? resolved_lookup(*address) : failed_lookup(EAI_ADDRFAMILY);
    }
  }
  LookupQuery query;
  query.host = host;
  query.service = service;
  query.family = to_raw_family(family);
  return detail::require_scheduler("resolve").reactor().new_lookup(std::move(query));
}

const LookupResult& check_result(const Event& event, const std::string& operation) {
  const LookupResult& result = static_cast<const LookupEvent&>(event).result();
  if (result.eai != 0) throw DnsError(operation, result.eai, result.error);
  return result;
}

void wait_for(Event& event, WaitOptions options, SourceLocation location) {
  Event* events[] = {&event};
  wait_any(events, options, location);
}

std::string format_message(const std::string& operation, int code, int system_error) {
  return operation + ": " + (code == EAI_SYSTEM ? std::strerror(system_error) : ::gai_strerror(code));
}

}  // namespace

DnsError::DnsError(std::string operation, int code, int system_error)
    : Error(format_message(operation, code, system_error)),
      operation_(std::move(operation)),
      code_(code),
      system_error_(system_error) {}

DnsError::~DnsError() = default;

bool DnsError::is_temporary() const noexcept { return code_ == EAI_AGAIN; }

Lookup::Lookup(std::string_view host, std::uint16_t port, AddressFamily family)
    : Lookup(host, std::to_string(port), family) {}

Lookup::Lookup(std::string_view host, std::string_view service, AddressFamily family)
    : operation_("resolve " + std::string(host)), event_(new_lookup_event(host, service, family)) {}

bool Lookup::is_done() const noexcept { return static_cast<const LookupEvent&>(*event_).is_done(); }

std::vector<Address> Lookup::addresses() const {
  if (!is_done()) throw MisuseError(operation_ + ": the lookup is not finished; wait for its event first");
  std::vector<Address> addresses;
  for (const RawAddress& raw : check_result(*event_, operation_).addresses) {
    addresses.push_back(Address::from(reinterpret_cast<const sockaddr*>(&raw.storage), raw.length));
  }
  if (addresses.empty()) throw DnsError(operation_, EAI_NODATA);
  return addresses;
}

std::vector<Address> resolve(std::string_view host, std::uint16_t port, const ResolveOptions& options, WaitOptions wait,
                             SourceLocation location) {
  return resolve(host, std::to_string(port), options, wait, location);
}

std::vector<Address> resolve(std::string_view host, std::string_view service, const ResolveOptions& options,
                             WaitOptions wait, SourceLocation location) {
  const Lookup lookup(host, service, options.family);
  if (!lookup.is_done()) wait_for(lookup.event(), wait, location);
  return lookup.addresses();
}

HostName reverse_lookup(const Address& address, WaitOptions options, SourceLocation location) {
  if (!address.is_ip()) throw MisuseError("reverse lookup of \"" + address.to_string() + "\": not an IP address");
  LookupQuery query;
  std::memcpy(&query.address.storage, address.data(), address.size());
  query.address.length = address.size();
  const Ref<Event> event = detail::require_scheduler("reverse_lookup").reactor().new_lookup(std::move(query));
  wait_for(*event, options, location);
  const std::string operation = "reverse lookup of " + address.host();
  const LookupResult& result = check_result(*event, operation);
  return {result.host, result.service};
}

}  // namespace trueasync
