// Messages of TLS itself after the handshake, in more than one record.
#include <gtest/gtest.h>

#include "support/reactor_test.hpp"
#include "tls/tls_context_state.hpp"
#include "tls_pair.hpp"

namespace trueasync::test {
namespace {

class TlsRecords : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(TlsRecords);

// Longer than a record.
void make_tickets_long(SSL_CTX* context) {
  SSL_CTX_set_max_send_fragment(context, 512);
  SSL_CTX_set_session_ticket_cb(
      context,
      [](SSL* ssl, void*) {
        const std::string extra(600, 'x');
        return SSL_SESSION_set1_ticket_appdata(SSL_get_session(ssl), extra.data(), extra.size());
      },
      nullptr, nullptr);
}

// A ticket in two records, of which only the first has come, puts OpenSSL of the client back into the handshake while a
// reader waits for the second; a writer then needs that one as well.
TEST_P(TlsRecords, AMessageInTwoRecordsHoldsUpTheWriterAndLosesNothing) {
  // AIO-03
  for (const bool writer_is_first : {false, true}) {
    run([&] {
      const TlsContext context = TlsContext::server(server_options());
      make_tickets_long(context.state().context.get());
      auto ends = MemoryStream::pair({.capacity = 600, .max_transfer = 600});
      TlsStream server(ends.first, context);
      TlsStream client(ends.second, TlsContext::client(client_options()), "localhost");
      auto shaking = spawn([&] { server.handshake(); });
      client.handshake();
      await(shaking);
      const auto let_them_run = [] {
        for (int i = 0; i < 20; ++i) yield();
      };
      const std::string to_server = pattern(100'000, 5), to_client = pattern(5'000, 6);
      Task<void> writer;
      const auto start_writing = [&] {
        writer = spawn([&] { client.write(to_server); });
        let_them_run();
      };
      if (writer_is_first) start_writing();
      auto reader = spawn([&] { return read_text(client, to_client.size()); });
      let_them_run();
      ASSERT_EQ(client.version(), "") << "not back in the handshake: this test proves nothing";
      if (!writer_is_first) start_writing();
      auto server_reader = spawn([&] { return read_text(server, to_server.size()); });
      let_them_run();
      server.write(to_client);
      EXPECT_TRUE(await(reader) == to_client);
      EXPECT_TRUE(await(server_reader) == to_server);
      await(writer);
    });
  }
}

}  // namespace
}  // namespace trueasync::test
