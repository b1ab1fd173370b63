// Boost.Asio echo server with callbacks, which are faster than its coroutines.
#include "serve_echo.hpp"

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <memory>

#include "support/serving.hpp"

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

class Peer : public std::enable_shared_from_this<Peer> {
 public:
  explicit Peer(tcp::socket socket) : socket_(std::move(socket)) {}

  void read() {
    socket_.async_read_some(asio::buffer(buffer_), [self = shared_from_this()](auto error, std::size_t got) {
      if (!error) self->write(got);
    });
  }

 private:
  void write(std::size_t size) {
    asio::async_write(socket_, asio::buffer(buffer_, size), [self = shared_from_this()](auto error, std::size_t) {
      if (!error) self->read();
    });
  }

  tcp::socket socket_;
  std::array<char, 4096> buffer_;
};

void accept(tcp::acceptor& acceptor) {
  acceptor.async_accept([&acceptor](auto error, tcp::socket socket) {
    if (!error) {
      socket.set_option(tcp::no_delay(true));
      std::make_shared<Peer>(std::move(socket))->read();
    }
    accept(acceptor);
  });
}

}  // namespace

void serve_echo(std::uint64_t) {
  asio::io_context loop(1);
  tcp::acceptor acceptor(loop, tcp::v4(), bench::listen_on_loopback());
  accept(acceptor);
  bench::announce_port(acceptor.local_endpoint().port());
  loop.run();
}
