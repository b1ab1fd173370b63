#include "trueasync/io/tls.hpp"

#include <gtest/gtest.h>

#include "support/reactor_test.hpp"
#include "tls_pair.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class TlsStreamTest : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(TlsStreamTest);

TEST_P(TlsStreamTest, TransfersBothWaysAndCloses) {
  run([] {
    TlsPair pair;
    auto server = spawn([&] {
      EXPECT_EQ(read_text(pair.server, 5), "hello");
      pair.server.write_all("welcome");
      pair.server.shutdown_write();
      EXPECT_EQ(read_all(pair.server), "bye");
    });
    pair.client.write_all("hello");
    EXPECT_EQ(read_all(pair.client), "welcome");
    EXPECT_EQ(read_all(pair.client), "") << "EOF persists";
    pair.client.write_all("bye");  // half-closed: the other direction stays open
    pair.client.shutdown_write();
    await(server);
    EXPECT_EQ(pair.client.version(), "TLSv1.3");
    EXPECT_FALSE(pair.client.cipher().empty());
    EXPECT_EQ(pair.client.peer_subject(), "CN=localhost");
    EXPECT_EQ(pair.server.server_name(), "localhost");
    EXPECT_EQ(pair.server.peer_subject(), "");
    EXPECT_EQ(pair.client.bytes_written(), 8u);
    EXPECT_EQ(pair.client.bytes_read(), 7u);
    EXPECT_EQ(pair.client.name(), "localhost");
  });
}

TEST_P(TlsStreamTest, OwnsMovedInTransport) {
  run([] {
    auto ends = MemoryStream::pair();
    const auto context = TlsContext::server(server_options());
    auto server = spawn([&] {
      TlsStream stream(std::move(ends.first), context);
      stream.write_all("from a moved-in stream");
      stream.shutdown_write();
    });
    TlsStream first(std::move(ends.second), TlsContext::client(client_options()), "localhost");
    TlsStream stream = std::move(first);
    EXPECT_EQ(read_all(stream), "from a moved-in stream");
    EXPECT_THROW(first.handshake(), MisuseError);
    await(server);
  });
}

// A concurrent reader and writer on each end, with short transfers and more data than the transport holds.
// AIO-03 AIO-04
TEST_P(TlsStreamTest, ReadsAndWritesConcurrentlyInShortTransfers) {
  run([] {
    TlsPair pair({.capacity = 700, .max_transfer = 97});
    const std::string to_server = pattern(120'000, 3), to_client = pattern(150'000, 4);
    auto sender = [](TlsStream& stream, const std::string& text) {
      stream.write_all(text);
      stream.shutdown_write();
    };
    auto first = spawn([&] { sender(pair.server, to_client); });
    auto second = spawn([&] { sender(pair.client, to_server); });
    auto third = spawn([&] { return read_all(pair.server); });
    EXPECT_TRUE(read_all(pair.client) == to_client);
    EXPECT_TRUE(await(third) == to_server);
    await(first);
    await(second);
  });
}

// AIO-03
TEST_P(TlsStreamTest, ConcurrentWritesDoNotInterleave) {
  run([] {
    TlsPair pair({.capacity = 500, .max_transfer = 500});
    const std::string a(40'000, 'a'), b(40'000, 'b');
    auto first = spawn([&] { pair.client.write_all(a); });
    auto second = spawn([&] { pair.client.write_all(b); });
    std::string got;
    auto reader = [&] { return read_text(pair.server, 40'000); };
    auto other_reader = spawn([&] { return read_text(pair.server, 1'000).size(); });
    got = reader();
    got += read_text(pair.server, 80'000 - got.size() - await(other_reader));
    await(first);
    await(second);
    EXPECT_EQ(got.find("ba"), std::string::npos) << "writes must not interleave";
    EXPECT_EQ(got.size(), 79'000u);
  });
}

TEST_P(TlsStreamTest, SmallPiecesFormOneRecord) {
  run([] {
    TlsPair pair;
    auto server = spawn([&] { pair.server.handshake(); });
    pair.client.handshake();
    await(server);
    const auto before = pair.ends.second.bytes_sent();
    const std::string big = pattern(5'000);
    const ConstBytes pieces[] = {as_bytes("head"), as_bytes(""), as_bytes("er"), as_bytes("body")};
    pair.client.write_all(pieces);
    EXPECT_EQ(pair.ends.second.bytes_sent() - before, 10u + 22u) << "the overhead of one record, not of three";
    const ConstBytes mixed[] = {as_bytes("x"), as_bytes(big), as_bytes("y")};
    pair.client.write_all(mixed);
    EXPECT_TRUE(read_text(pair.server, 10 + 5'002) == "headerbodyx" + big + "y");
  });
}

// IO-22 AIO-03
TEST_P(TlsStreamTest, TimedOutReadLosesNothing) {
  run([] {
    TlsPair pair;
    auto server = spawn([&] {
      EXPECT_THROW(pair.server.handshake(5ms), TimeoutError);
      std::byte byte;
      EXPECT_THROW(pair.server.read_some(std::span(&byte, 1), 5ms), TimeoutError)
          << "the handshake has not finished either";
      EXPECT_EQ(read_text(pair.server, 3), "now");
    });
    std::byte byte;
    delay(20ms);
    auto cancelled_reader = spawn([&] { pair.client.read_some(std::span(&byte, 1)); });
    delay(1ms);
    cancelled_reader.cancel();
    EXPECT_THROW(await(cancelled_reader), Cancelled);
    EXPECT_THROW(pair.client.read_some(std::span(&byte, 1), 1ms), TimeoutError);
    pair.client.write_all("now");
    await(server);
  });
}

// AIO-03
TEST_P(TlsStreamTest, NextWriteSendsRestOfInterruptedWrite) {
  run([] {
    TlsPair pair({.capacity = 3'000, .max_transfer = 3'000});
    auto server = spawn([&] { pair.server.handshake(); });
    pair.client.handshake();
    await(server);
    const std::string text = pattern(200'000);
    EXPECT_THROW(pair.client.write_all(text, 5ms), TimeoutError);
    const auto taken = pair.client.bytes_written();
    EXPECT_GT(taken, 0u);
    EXPECT_LE(taken, 64u * 1024);
    EXPECT_THROW(pair.client.write_some(as_bytes(text), 5ms), TimeoutError);
    EXPECT_EQ(pair.client.bytes_written(), taken) << "the unsent finisher is sent first; no new data was accepted";
    auto finisher = spawn([&] {
      pair.client.write_all(text.substr(taken));
      pair.client.shutdown_write();
    });
    EXPECT_TRUE(read_all(pair.server) == text);
    await(finisher);
  });
}

// AIO-03 IO-09
TEST_P(TlsStreamTest, CloseWakesWaiters) {
  run([] {
    auto pair = std::make_unique<TlsPair>();
    auto reader = spawn([&] { return read_all(pair->client); });
    delay(1ms);
    pair->client.close();
    EXPECT_THROW(await(reader), ClosedError);
    EXPECT_THROW(pair->client.write_all("x"), ClosedError);
    EXPECT_THROW(pair->client.handshake(), ClosedError);
  });
}

// IO-09
TEST_P(TlsStreamTest, MayBeDestroyedDuringRead) {
  run([] {
    auto ends = MemoryStream::pair();
    auto stream = std::make_unique<TlsStream>(std::move(ends.first), TlsContext::client(client_options()), "localhost");
    auto reader = spawn([&] { return read_all(*stream); });
    delay(1ms);
    stream.reset();
    EXPECT_THROW(await(reader), ClosedError);
  });
}

// AIO-03
TEST_P(TlsStreamTest, TruncationIsDetectedAtEveryByte) {
  run([] {
    std::size_t handshakes = 0, truncations = 0;
    for (std::size_t cut = 0;; cut += cut < 1500 ? 61 : 7) {
      TlsPair pair;
      pair.ends.first.truncate_after(cut);
      auto server = spawn([&] {
        try {
          pair.server.write_all("all of it");
          pair.server.shutdown_write();
        } catch (const IoError&) {
        }
      });
      try {
        pair.client.handshake();
        ++handshakes;
        const std::string text = read_all(pair.client);
        await(server);
        EXPECT_EQ(text, "all of it") << "cut after " << cut;
        break;
      } catch (const TlsTruncatedError& error) {
        ++truncations;
        EXPECT_EQ(error.code(), EPROTO);
      }
      await(server);
    }
    EXPECT_GT(truncations, 5u);
    EXPECT_GT(handshakes, 1u) << "some cuts are after the handshake";
  });
}

TEST_P(TlsStreamTest, WriteAfterShutdownFails) {
  run([] {
    TlsPair pair;
    auto server = spawn([&] { return read_all(pair.server); });
    pair.client.write_all("a");
    pair.client.shutdown_write();
    pair.client.shutdown_write();
    EXPECT_THROW(pair.client.write_all("b"), TlsError);
    EXPECT_EQ(await(server), "a");
  });
}

TEST_P(TlsStreamTest, InvalidHandshakeReportsOpensslError) {
  run([] {
    auto ends = MemoryStream::pair();
    ends.second.write_all("GET / HTTP/1.1\r\n\r\n");
    TlsStream server(ends.first, TlsContext::server(server_options()));
    try {
      server.handshake();
      ADD_FAILURE() << "plain HTTP was accepted as a handshake";
    } catch (const TlsError& error) {
      EXPECT_EQ(error.operation(), "TLS handshake with memory");
      EXPECT_EQ(error.code(), EPROTO);
      EXPECT_NE(std::string(error.what()).find("http request"), std::string::npos) << error.what();
    }
  });
}

TEST_P(TlsStreamTest, TokenEndsHandshakeAndRead) {
  run([] {
    TlsPair pair;
    EXPECT_THROW(pair.client.handshake(timeout(1ms)), OperationCancelled);
    auto server = spawn([&] { pair.server.handshake(); });
    pair.client.handshake();
    await(server);
    std::byte buffer[8];
    EXPECT_THROW(pair.client.read_some(buffer, timeout(1ms)), OperationCancelled);
    auto reader = spawn([&] { return read_text(pair.client, 4); });
    yield();
    EXPECT_THROW(pair.client.read_some(buffer, timeout(1ms)), OperationCancelled) << "while another coroutine reads";
    pair.server.write_all("data");
    EXPECT_EQ(await(reader), "data");
  });
}

TEST_P(TlsStreamTest, TokenEndsWrite) {
  run([] {
    TlsPair pair(MemoryStreamOptions{.capacity = 4096});
    auto server = spawn([&] { pair.server.handshake(); });
    pair.client.handshake();
    await(server);
    EXPECT_THROW(pair.client.write_all(pattern(1 << 20), timeout(1ms)), OperationCancelled);
    EXPECT_LT(pair.client.bytes_written(), 1u << 20);
  });
}

}  // namespace
}  // namespace trueasync::test
