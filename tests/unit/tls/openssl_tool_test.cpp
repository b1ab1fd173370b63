// Interoperability with the openssl tool: s_client with a TlsStream server, s_server with a TlsStream client.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "support/reactor_test.hpp"
#include "tls_pair.hpp"
#include "trueasync/io/io.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

// A child process with pipes to its standard input and output. The destructor kills it.
class Tool {
 public:
  explicit Tool(std::vector<std::string> command) {
    int in[2], out[2];
    EXPECT_EQ(::pipe2(in, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
    std::vector<char*> arguments;
    for (std::string& argument : command) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      ::dup2(out[1], 2);
      ::execvp(arguments[0], arguments.data());
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    input = Io::adopt(in[1], "the tool's input");
    output = Io::adopt(out[0], "the tool's output");
  }
  ~Tool() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  // Reads the output until it contains the text.
  void expect(std::string_view text) {
    std::byte buffer[1000];
    while (received.find(text) == std::string::npos) {
      const std::size_t got = output.read_some(buffer, 20s);
      ASSERT_NE(got, 0u) << "the output ended without \"" << text << "\":\n" << received;
      received.append(reinterpret_cast<const char*>(buffer), got);
    }
  }

  Io input;
  Io output;
  std::string received;

 private:
  pid_t pid_ = -1;
};

int listen_on(sockaddr_in& address) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(::listen(listener, 1), 0);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  return listener;
}

// s_client, connected to `transport`.
struct Client {
  explicit Client(const std::vector<std::string>& extra) {
    sockaddr_in address;
    const int listener = listen_on(address);
    std::vector<std::string> command = {"openssl",
                                        "s_client",
                                        "-connect",
                                        "127.0.0.1:" + std::to_string(ntohs(address.sin_port)),
                                        "-CAfile",
                                        Certificates::get().ca_file,
                                        "-verify_return_error",
                                        "-verify_hostname",
                                        "localhost",
                                        "-servername",
                                        "localhost"};
    command.insert(command.end(), extra.begin(), extra.end());
    tool = std::make_unique<Tool>(std::move(command));
    const int peer = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    ::close(listener);
    transport = Io::adopt(peer, "s_client");
  }
  std::unique_ptr<Tool> tool;
  Io transport;
};

TEST(OpensslToolTest, ServesOpensslClientInBothVersions) {
  Runtime().run([] {
    for (const std::string version : {"-tls1_2", "-tls1_3"}) {
      Client client({version, "-alpn", "http/1.1"});
      TlsServerOptions options = server_options();
      options.alpn = {"http/1.1"};
      TlsStream server(client.transport, TlsContext::server(options));
      server.write_all("from the server\n");
      client.tool->expect("from the server\n");
      client.tool->input.write_all("from the client\n");
      EXPECT_EQ(read_text(server, 16), "from the client\n");
      EXPECT_EQ(server.version(), version == "-tls1_2" ? "TLSv1.2" : "TLSv1.3");
      EXPECT_EQ(server.alpn(), "http/1.1");
      client.tool->input.write_all("Q\n");  // quits with close_notify
      EXPECT_EQ(read_all(server), "");
    }
  });
}

// The command K makes s_client request a key update. The server answers it in read().
TEST(OpensslToolTest, KeyUpdateIsAnsweredDuringWrites) {
  Runtime().run([] {
    Client client({"-tls1_3"});
    TlsStream server(client.transport, TlsContext::server(server_options()));
    server.handshake(20s);
    auto writer = spawn([&] {
      for (int i = 0; i < 50; ++i) {
        server.write_all("tick\n");
        delay(1ms);
      }
      server.write_all("last tick\n");
    });
    std::string got;
    for (int i = 0; i < 5; ++i) {
      client.tool->input.write_all("K\n");
      client.tool->expect("KEYUPDATE");
      client.tool->received.clear();
      client.tool->input.write_all("text\n");
      got += read_text(server, 5);
    }
    EXPECT_EQ(got, "text\ntext\ntext\ntext\ntext\n");
    await(writer);
    client.tool->expect("last tick\n");
  });
}

TEST(OpensslToolTest, VerifiesOpensslServerAndCloses) {
  Runtime().run([] {
    sockaddr_in address;
    const int probe = listen_on(address);
    ::close(probe);  // frees the port for s_server
    const TlsIdentity& identity = Certificates::get().server;
    Tool tool({"openssl", "s_server", "-accept", "127.0.0.1:" + std::to_string(ntohs(address.sin_port)), "-cert",
               identity.certificate_file, "-key", identity.key_file, "-naccept", "1"});
    tool.expect("ACCEPT");
    const int peer = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(::connect(peer, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    TlsStream client(Io::adopt(peer, "s_server"), TlsContext::client(client_options()), "localhost");
    std::string text(300'001, 'x');  // many records and short socket reads
    text.back() = '\n';
    client.write_all(text);
    tool.expect(text);
    tool.input.write_all("answer\n");
    EXPECT_EQ(read_text(client, 7), "answer\n");
    client.shutdown_write();
    EXPECT_EQ(read_all(client), "") << "s_server answers close_notify";
  });
}

TEST(OpensslToolTest, KilledClientIsTruncation) {
  Runtime().run([] {
    Client client({});
    TlsStream server(client.transport, TlsContext::server(server_options()));
    server.handshake(20s);
    client.tool.reset();  // killed: no close_notify
    try {
      read_all(server);
      ADD_FAILURE() << "a killed client ended cleanly";
    } catch (const TlsTruncatedError&) {
    } catch (const IoError& error) {
      EXPECT_EQ(error.code(), ECONNRESET);
    }
  });
}

}  // namespace
}  // namespace trueasync::test
