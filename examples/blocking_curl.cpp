// A hundred transfers at once with libcurl's plain easy interface, which blocks: replaced calls make each of them suspend
// its coroutine instead, and nothing in libcurl knows. The server is a part of the program, on the same thread.
// link: -lcurl
#include <curl/curl.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <trueasync/trueasync.hpp>
#include <vector>

namespace ta = trueasync;
using namespace std::chrono_literals;

namespace {

constexpr int kTransfers = 100;
constexpr auto kWork = 200ms;  // of the server, for each

int working = 0;
int most_at_once = 0;

void answer(ta::Io connection) {
  ta::BufferedReader reader(connection);
  for (auto line = reader.read_line(); line && !line->empty() && *line != "\r"; line = reader.read_line()) {
  }
  most_at_once = std::max(most_at_once, ++working);
  ta::delay(kWork);
  --working;
  connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
}

std::size_t append(char* data, std::size_t size, std::size_t count, void* text) {
  static_cast<std::string*>(text)->append(data, size * count);
  return size * count;
}

// As in any program that knows nothing of coroutines.
std::string fetch(const std::string& url) {
  std::string body;
  CURL* easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &body);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  const CURLcode code = curl_easy_perform(easy);
  curl_easy_cleanup(easy);
  return code == CURLE_OK ? body : curl_easy_strerror(code);
}

}  // namespace

int main() {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  const int code = ta::run([] {
    ta::blocking::enable({"libcurl"});
    ta::Listener listener = ta::listen(ta::Address::loopback(ta::AddressFamily::ipv4, 0));
    auto server = ta::spawn([&] { ta::serve(listener, answer); });
    const std::string url = "http://" + listener.local_address().to_string() + "/";

    const auto begun = ta::Clock::now();
    std::vector<ta::Task<std::string>> transfers;
    for (int i = 0; i < kTransfers; ++i) {
      // libcurl wants more stack than a coroutine has by default.
      transfers.push_back(ta::spawn({.stack_size = 256 * 1024}, [&] { return fetch(url); }));
    }
    int good = 0;
    for (auto& transfer : transfers) good += ta::await(transfer) == "hello";
    const bool is_concurrent = ta::Clock::now() - begun < kTransfers * kWork / 4;

    std::printf("%d of %d transfers\n", good, kTransfers);
    std::printf("%s at once\n", most_at_once > kTransfers / 2 ? "most of them" : "few of them");
    std::printf("%s than one after the other\n", is_concurrent ? "much faster" : "not much faster");
    listener.close();
    ta::await(server);
  });
  ta::blocking::disable();
  curl_global_cleanup();
  return code;
}
