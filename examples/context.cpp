// Context: values that child coroutines inherit, without a parameter in every function.
#include <cstdio>
#include <string>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;

namespace {

const ta::ContextKey<std::string> kUser{"user"};
const ta::ContextKey<int> kLimit{"limit"};

void log_line(const char* text) { std::printf("%s: %s\n", ta::coroutine_context().get(kUser).c_str(), text); }

void handle_request(const char* user) {
  ta::TaskScope request;
  ta::context_of(request.scope()).set(kUser, user);
  request.spawn([] { log_line("query"); });
  request.spawn([] {
    ta::spawn([] { log_line("audit"); });  // inherits the scope and its user
  });
  request.join();
}

}  // namespace

int main() {
  return ta::run([] {
    ta::root_context().set(kLimit, 10);
    handle_request("ann");
    handle_request("bob");
    std::printf("limit: %d, user in this scope: %s\n", ta::current_context().get(kLimit),
                ta::current_context().has(kUser) ? "yes" : "none");
  });
}
