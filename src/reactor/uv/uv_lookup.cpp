#include "reactor/uv/uv_lookup.hpp"

#include <netdb.h>

#include <cstring>

#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

// Converts libuv's error codes to those of getaddrinfo.
LookupResult failure(int code) noexcept {
  static constexpr struct {
    int uv;
    int eai;
  } kTable[] = {{UV_EAI_ADDRFAMILY, EAI_ADDRFAMILY}, {UV_EAI_AGAIN, EAI_AGAIN},
                {UV_EAI_BADFLAGS, EAI_BADFLAGS},     {UV_EAI_FAIL, EAI_FAIL},
                {UV_EAI_FAMILY, EAI_FAMILY},         {UV_EAI_MEMORY, EAI_MEMORY},
                {UV_EAI_NODATA, EAI_NODATA},         {UV_EAI_NONAME, EAI_NONAME},
                {UV_EAI_OVERFLOW, EAI_OVERFLOW},     {UV_EAI_SERVICE, EAI_SERVICE},
                {UV_EAI_SOCKTYPE, EAI_SOCKTYPE}};
  LookupResult result;
  for (const auto& row : kTable) {
    if (row.uv == code) result.eai = row.eai;
  }
  // An invalid name: too long, or not encodable as a host name.
  if (code == UV_EINVAL || code == UV_ENAMETOOLONG || code == UV_E2BIG) result.eai = EAI_NONAME;
  if (result.eai == 0) {
    result.eai = EAI_SYSTEM;
    result.error = -code;
  }
  return result;
}

RawAddress raw_address(const sockaddr* address, socklen_t length) noexcept {
  RawAddress raw;
  std::memcpy(&raw.storage, address, length);
  raw.length = length;
  return raw;
}

}  // namespace

class UvLookupRequest final : public UvRequest {
 public:
  UvLookupRequest(EpollReactor& reactor, UvLookup& lookup) noexcept : reactor_(reactor), lookup_(&lookup) {
    forward_.data = reverse_.data = this;
    reactor_.requests().push_back(*this);
    ++reactor_.lookup_limiter().running;
    ++reactor_.lookup_limiter().begun;
  }

  int begin(const LookupQuery& query) noexcept {
    if (query.address.length != 0) {
      is_reverse_ = true;
      return uv_getnameinfo(
          reactor_.loop(), &reverse_,
          [](uv_getnameinfo_t* request, int status, const char* host, const char* service) {
            LookupResult result;
            if (status == 0) {
              result.host = host;
              result.service = service;
            } else {
              result = failure(status);
            }
            static_cast<UvLookupRequest*>(request->data)->on_done(std::move(result));
          },
          reinterpret_cast<const sockaddr*>(&query.address.storage), NI_NAMEREQD);
    }
    addrinfo hints{};
    hints.ai_family = query.family;
    hints.ai_socktype = SOCK_STREAM;  // otherwise each address is returned once per socket type
    return uv_getaddrinfo(
        reactor_.loop(), &forward_,
        [](uv_getaddrinfo_t* request, int status, addrinfo* found) {
          LookupResult result;
          if (status != 0) result = failure(status);
          for (const addrinfo* info = found; info && status == 0; info = info->ai_next) {
            result.addresses.push_back(raw_address(info->ai_addr, info->ai_addrlen));
          }
          uv_freeaddrinfo(found);
          static_cast<UvLookupRequest*>(request->data)->on_done(std::move(result));
        },
        query.host.c_str(), query.service.empty() ? nullptr : query.service.c_str(), &hints);
  }

  void on_done(LookupResult result) noexcept {
    if (!is_linked()) return;  // abandoned
    unlink();
    --reactor_.lookup_limiter().running;
    EpollReactor& reactor = reactor_;
    UvLookup* lookup = lookup_;
    delete this;
    if (lookup) lookup->on_result(std::move(result));
    UvLookup::start_queued(reactor);
  }

  void detach_lookup() noexcept { lookup_ = nullptr; }
  void cancel() noexcept override {
    uv_cancel(is_reverse_ ? reinterpret_cast<uv_req_t*>(&reverse_) : reinterpret_cast<uv_req_t*>(&forward_));
  }
  std::string abandon() noexcept override {
    --reactor_.lookup_limiter().running;
    return "a name lookup";
  }

 private:
  EpollReactor& reactor_;
  UvLookup* lookup_;  // null: the result is not needed any more
  bool is_reverse_ = false;
  uv_getaddrinfo_t forward_;
  uv_getnameinfo_t reverse_;
};

UvLookup::UvLookup(EpollReactor& reactor, LookupQuery query)
    : LookupEvent(&reactor.liveness()), reactor_(&reactor), query_(std::move(query)) {
  reactor.observers().push_back(*this);
}

UvLookup::~UvLookup() {
  if (reactor_) ReactorObserver::unlink();
}

std::string UvLookup::describe() const {
  return query_.address.length != 0 ? "a reverse name lookup" : "a lookup of " + query_.host;
}

std::exception_ptr UvLookup::on_start() noexcept {
  if (!reactor_) return std::make_exception_ptr(MisuseError("wait for " + describe() + ": the runtime was destroyed"));
  reactor_->lookup_limiter().waiting.push_back(queue_entry_);
  start_queued(*reactor_);
  return nullptr;
}

void UvLookup::on_stop() noexcept { cancel_request(); }

void UvLookup::cancel_request() noexcept {
  if (queue_entry_.is_linked()) queue_entry_.unlink();
  if (!request_) return;
  request_->detach_lookup();
  std::exchange(request_, nullptr)->cancel();
}

void UvLookup::on_reactor_closed() noexcept {
  cancel_request();
  detach_liveness();
  reactor_ = nullptr;
}

void UvLookup::begin() noexcept {
  auto* request = new UvLookupRequest(*reactor_, *this);
  request_ = request;
  if (const int code = request->begin(query_)) request->on_done(failure(code));
}

void UvLookup::on_result(LookupResult result) noexcept {
  request_ = nullptr;
  finish(std::move(result));
}

void UvLookup::start_queued(EpollReactor& reactor) noexcept {
  UvLookupLimiter& limiter = reactor.lookup_limiter();
  while (limiter.running < UvLookupLimiter::kMaxConcurrent && !limiter.waiting.empty())
    limiter.waiting.pop_front()->lookup.begin();
}

}  // namespace trueasync::detail
