// Post-handshake TLS messages that span several records.
#include <gtest/gtest.h>

#include "support/reactor_test.hpp"
#include "tls/tls_context_state.hpp"
#include "tls_pair.hpp"

namespace trueasync::test {
namespace {

class TlsRecordsTest : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(TlsRecordsTest);

// Makes session tickets longer than one record.
void use_long_tickets(SSL_CTX* context) {
  SSL_CTX_set_max_send_fragment(context, 512);
  SSL_CTX_set_session_ticket_cb(
      context,
      [](SSL* ssl, void*) {
        const std::string extra(600, 'x');
        return SSL_SESSION_set1_ticket_appdata(SSL_get_session(ssl), extra.data(), extra.size());
      },
      nullptr, nullptr);
}

// A ticket spans two records. After the first record the client's OpenSSL is back in the handshake. The reader and the
// writer then both need the second record.
// AIO-03
TEST_P(TlsRecordsTest, SplitPostHandshakeMessageLosesNoData) {
  for (const bool writer_is_first : {false, true}) {
    run([&] {
      const TlsContext context = TlsContext::server(server_options());
      use_long_tickets(context.state().context.get());
      auto ends = MemoryStream::pair({.capacity = 600, .max_transfer = 600});
      TlsStream server(ends.first, context);
      TlsStream client(ends.second, TlsContext::client(client_options()), "localhost");
      auto server_handshake = spawn([&] { server.handshake(); });
      client.handshake();
      await(server_handshake);
      const auto yield_repeatedly = [] {
        for (int i = 0; i < 20; ++i) yield();
      };
      const std::string to_server = pattern(100'000, 5), to_client = pattern(5'000, 6);
      Task<void> writer;
      const auto start_writing = [&] {
        writer = spawn([&] { client.write_all(to_server); });
        yield_repeatedly();
      };
      if (writer_is_first) start_writing();
      auto reader = spawn([&] { return read_text(client, to_client.size()); });
      yield_repeatedly();
      ASSERT_EQ(client.version(), "") << "precondition: the client is back in the handshake";
      if (!writer_is_first) start_writing();
      auto server_reader = spawn([&] { return read_text(server, to_server.size()); });
      yield_repeatedly();
      server.write_all(to_client);
      EXPECT_TRUE(await(reader) == to_client);
      EXPECT_TRUE(await(server_reader) == to_server);
      await(writer);
    });
  }
}

}  // namespace
}  // namespace trueasync::test
