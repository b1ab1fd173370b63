// Awaiting many: all tasks, the first success, a timeout, and tasks of different types.
#include <cstdio>
#include <map>
#include <string>
#include <trueasync/scope/await.hpp>
#include <trueasync/trueasync.hpp>
#include <vector>

namespace ta = trueasync;
using namespace std::chrono_literals;

ta::Task<std::string> ask(const char* node, std::chrono::milliseconds time, bool works = true) {
  return ta::spawn([=]() -> std::string {
    ta::delay(time);
    if (!works) throw std::runtime_error(std::string(node) + " is down");
    return std::string("response of ") + node;
  });
}

int main() {
  return ta::run([] {
    std::map<std::string, ta::Task<std::string>> nodes;
    nodes.emplace("a", ask("a", 4ms));
    nodes.emplace("b", ask("b", 2ms, false));
    nodes.emplace("c", ask("c", 6ms));
    auto [results, errors] = ta::await_all(nodes);
    for (const auto& [key, value] : results) std::printf("%s: %s\n", key.c_str(), value.c_str());
    std::printf("%zu failed\n", errors.size());

    // PendingAction::cancel cancels the tasks that still run.
    std::vector<ta::Task<std::string>> replicas;
    replicas.push_back(ask("x", 1ms, false));
    replicas.push_back(ask("y", 3ms));
    replicas.push_back(ask("z", 1h));
    auto first = ta::await_first_success(replicas, {.pending = ta::PendingAction::cancel});
    std::printf("%s, after %zu failure\n", first.result->c_str(), first.errors.size());

    try {
      std::vector<ta::Task<std::string>> slow;
      slow.push_back(ask("slow", 1h));
      ta::await_all_or_fail(slow, {.pending = ta::PendingAction::cancel}, ta::timeout(2ms));
    } catch (const ta::OperationCancelled&) {
      std::puts("timed out after 2 ms");
    }

    auto number = ta::spawn([] { return 6; });
    auto text = ta::spawn([] { return std::string("times seven"); });
    auto [a, b] = ta::await_all_or_fail(std::tie(number, text));
    std::printf("%d %s\n", a, b.c_str());
  });
}
