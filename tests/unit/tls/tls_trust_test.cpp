// Whom a client trusts, whom a server does, and what they agree on.
#include <gtest/gtest.h>
#include <openssl/x509_vfy.h>

#include <fstream>

#include "support/reactor_test.hpp"
#include "tls_pair.hpp"

namespace trueasync::test {
namespace {

class TlsTrust : public ReactorTest {
 protected:
  // What the client's handshake ends with: the reason of a certificate error, 0 when it is well.
  long verdict(const TlsIdentity& identity, const TlsClientOptions& wish, const std::string& host = "localhost") {
    return run([&]() -> long {
      TlsPair pair({.identity = identity}, wish, {}, host);
      auto server = spawn([&] {
        try {
          pair.server.handshake();
        } catch (const IoError&) {  // refused, or the client has gone
        }
      });
      long reason = 0;
      try {
        pair.client.handshake();
      } catch (const TlsCertificateError& error) {
        reason = error.reason();
        text_ = error.what();
      }
      pair.client.close();
      await(server);
      return reason;
    });
  }
  const Certificates& made() { return Certificates::get(); }
  std::string text_;
};
TRUEASYNC_TEST_ON_ALL_REACTORS(TlsTrust);

TEST_P(TlsTrust, AGoodCertificateIsTaken) {
  EXPECT_EQ(verdict(made().server, client_options()), 0);
  EXPECT_EQ(verdict(made().server, client_options(), "127.0.0.1"), 0);
}

TEST_P(TlsTrust, TheWrongHostIsRefused) {
  EXPECT_EQ(verdict(made().other_host, client_options()), X509_V_ERR_HOSTNAME_MISMATCH);
  EXPECT_NE(text_.find("TLS handshake with localhost: certificate verify failed: hostname mismatch"), std::string::npos)
      << text_;
  EXPECT_EQ(verdict(made().server, client_options(), "127.0.0.2"), X509_V_ERR_IP_ADDRESS_MISMATCH);
}

TEST_P(TlsTrust, AnExpiredOneIsRefused) {
  EXPECT_EQ(verdict(made().expired, client_options()), X509_V_ERR_CERT_HAS_EXPIRED);
}

TEST_P(TlsTrust, ASelfSignedOneIsRefused) {
  EXPECT_EQ(verdict(made().self_signed, client_options()), X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT);
}

TEST_P(TlsTrust, TheSystemsStoreIsTheDefaultAndDoesNotKnowUs) {
  EXPECT_EQ(verdict(made().server, {}), X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY);
}

TEST_P(TlsTrust, VerificationCanBeSwitchedOff) { EXPECT_EQ(verdict(made().self_signed, {.verify = false}, ""), 0); }

TEST_P(TlsTrust, AVerifyingClientMustNameItsHost) {
  run([&] {
    auto ends = MemoryStream::pair();
    EXPECT_THROW(TlsStream(ends.first, TlsContext::client(client_options())), MisuseError);
  });
}

TEST_P(TlsTrust, FilesThatCantBeUsedAreNamed) {
  const std::string missing = "/nowhere/cert.pem";
  const std::string rubbish = made().ca_file + ".rubbish";
  std::ofstream(rubbish) << "no certificate";
  for (const std::string& file : {missing, rubbish}) {
    try {
      TlsContext::server({.identity = {file, file}});
      ADD_FAILURE() << "a server without a certificate";
    } catch (const TlsError& error) {
      EXPECT_NE(std::string(error.what()).find("read certificate " + file), std::string::npos) << error.what();
    }
    EXPECT_THROW(TlsContext::client({.ca_file = file}), TlsError);
  }
  EXPECT_THROW(TlsContext::server({.identity = {made().server.certificate_file, made().client.key_file}}), TlsError);
}

TEST_P(TlsTrust, AServerAnswersToSeveralNames) {
  run([&] {
    TlsServerOptions options = server_options();
    options.by_name["other.test"] = made().other_host;
    const std::pair<std::string, std::string> cases[] = {
        {"localhost", "CN=localhost"}, {"other.test", "CN=other.test"}, {"OTHER.Test", "CN=other.test"}};
    for (const auto& [host, subject] : cases) {
      TlsPair pair(options, client_options(), {}, host);
      auto server = spawn([&] { pair.server.handshake(); });
      pair.client.handshake();
      await(server);
      EXPECT_EQ(pair.client.peer_subject(), subject);
      EXPECT_EQ(pair.server.server_name(), host);
    }
  });
}

TEST_P(TlsTrust, ClientsMayHaveToShowACertificate) {
  run([&] {
    TlsServerOptions options = server_options();
    options.client_ca_file = made().ca_file;
    for (const TlsIdentity& identity : {made().client, made().self_signed, TlsIdentity{}}) {
      const bool is_good = identity.certificate_file == made().client.certificate_file;
      TlsClientOptions wish = client_options();
      wish.identity = identity;
      TlsPair pair(options, wish);
      auto server = spawn([&] {
        pair.server.handshake();
        pair.server.write("in");
      });
      if (is_good) {
        EXPECT_EQ(read_text(pair.client, 2), "in");
        await(server);
        EXPECT_EQ(pair.server.peer_subject(), "CN=client");
      } else {
        EXPECT_THROW(read_text(pair.client, 2), TlsError) << "in TLS 1.3 a refusal comes after the handshake";
        EXPECT_THROW(await(server), TlsError);
      }
    }
  });
}

TEST_P(TlsTrust, TheyAgreeOnAProtocolByTheServersPreference) {
  run([&] {
    TlsServerOptions options = server_options();
    options.alpn = {"h2", "http/1.1"};
    const auto agreed = [&](std::vector<std::string> offered) {
      TlsClientOptions wish = client_options();
      wish.alpn = std::move(offered);
      TlsPair pair(options, wish);
      auto server = spawn([&] { pair.server.handshake(); });
      pair.client.handshake();
      await(server);
      EXPECT_EQ(pair.client.alpn(), pair.server.alpn());
      return pair.client.alpn();
    };
    EXPECT_EQ(agreed({"http/1.1", "h2"}), "h2");
    EXPECT_EQ(agreed({"http/1.1"}), "http/1.1");
    EXPECT_EQ(agreed({}), "");
  });
}

TEST_P(TlsTrust, ProtocolsThatDontMeetEndTheHandshake) {
  run([&] {
    TlsServerOptions options = server_options();
    options.alpn = {"h2"};
    TlsClientOptions wish = client_options();
    wish.alpn = {"smtp"};
    TlsPair pair(options, wish);
    auto server = spawn([&] { pair.server.handshake(); });
    try {
      pair.client.handshake();
      ADD_FAILURE() << "they have no protocol in common";
    } catch (const TlsError& error) {
      EXPECT_NE(std::string(error.what()).find("no application protocol"), std::string::npos) << error.what();
    }
    EXPECT_THROW(await(server), TlsError);
    EXPECT_THROW(TlsContext::client({.alpn = {""}}), MisuseError);
  });
}

TEST_P(TlsTrust, AMinimumVersionIsKept) {
  run([&] {
    TlsClientOptions wish = client_options();
    wish.minimum = TlsVersion::tls_1_3;
    TlsServerOptions options = server_options();
    options.minimum = TlsVersion::tls_1_3;
    TlsPair pair(options, wish);
    auto server = spawn([&] { pair.server.handshake(); });
    pair.client.handshake();
    await(server);
    EXPECT_EQ(pair.server.version(), "TLSv1.3");
  });
}

}  // namespace
}  // namespace trueasync::test
