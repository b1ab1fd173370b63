// 100 concurrent transfers with libcurl's blocking easy interface. The patched calls suspend the coroutine; libcurl is
// unmodified. The server runs in this program, on the same thread.
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
constexpr auto kRequestTime = 200ms;  // duration of each request on the server

int running = 0;
int max_running = 0;

void respond(ta::Io connection) {
  ta::BufferedReader reader(connection);
  for (auto line = reader.read_line(); line && !line->empty() && *line != "\r"; line = reader.read_line()) {
  }
  max_running = std::max(max_running, ++running);
  ta::delay(kRequestTime);
  --running;
  connection.write_all("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
}

std::size_t append(char* data, std::size_t size, std::size_t count, void* text) {
  static_cast<std::string*>(text)->append(data, size * count);
  return size * count;
}

// Ordinary blocking code, without coroutines.
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
    auto server = ta::spawn([&] { ta::serve(listener, respond); });
    const std::string url = "http://" + listener.local_address().to_string() + "/";

    const auto start = ta::Clock::now();
    std::vector<ta::Task<std::string>> transfers;
    for (int i = 0; i < kTransfers; ++i) {
      // libcurl needs more stack than the default.
      transfers.push_back(ta::spawn({.stack_size = 256 * 1024}, [&] { return fetch(url); }));
    }
    int succeeded = 0;
    for (auto& transfer : transfers) succeeded += ta::await(transfer) == "hello";
    const bool is_concurrent = ta::Clock::now() - start < kTransfers * kRequestTime / 4;

    std::printf("%d of %d transfers\n", succeeded, kTransfers);
    std::printf("%s of them concurrently\n", max_running > kTransfers / 2 ? "most" : "few");
    std::printf("%s than sequentially\n", is_concurrent ? "much faster" : "not much faster");
    listener.close();
    ta::await(server);
  });
  ta::blocking::disable();
  curl_global_cleanup();
  return code;
}
