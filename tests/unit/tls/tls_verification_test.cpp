// Certificate verification, and negotiation of certificate, protocol and version.
#include <gtest/gtest.h>
#include <openssl/x509_vfy.h>

#include <fstream>

#include "support/reactor_test.hpp"
#include "tls_pair.hpp"

namespace trueasync::test {
namespace {

class TlsVerificationTest : public ReactorTest {
 protected:
  // Runs a handshake and returns the reason of the client's TlsCertificateError, or 0.
  long handshake_result(const TlsIdentity& identity, const TlsClientOptions& client_config,
                        const std::string& host = "localhost") {
    return run([&]() -> long {
      TlsPair pair({.identity = identity}, client_config, {}, host);
      auto server = spawn([&] {
        try {
          pair.server.handshake();
        } catch (const IoError&) {  // rejected, or closed by the client
        }
      });
      long reason = 0;
      try {
        pair.client.handshake();
      } catch (const TlsCertificateError& error) {
        reason = error.reason();
        error_text_ = error.what();
      }
      pair.client.close();
      await(server);
      return reason;
    });
  }
  const Certificates& certificates() { return Certificates::get(); }
  std::string error_text_;
};
TRUEASYNC_TEST_ON_ALL_REACTORS(TlsVerificationTest);

TEST_P(TlsVerificationTest, AcceptsValidCertificate) {
  EXPECT_EQ(handshake_result(certificates().server, client_options()), 0);
  EXPECT_EQ(handshake_result(certificates().server, client_options(), "127.0.0.1"), 0);
}

TEST_P(TlsVerificationTest, RejectsHostMismatch) {
  EXPECT_EQ(handshake_result(certificates().other_host, client_options()), X509_V_ERR_HOSTNAME_MISMATCH);
  EXPECT_NE(error_text_.find("TLS handshake with localhost: certificate verify failed: hostname mismatch"),
            std::string::npos)
      << error_text_;
  EXPECT_EQ(handshake_result(certificates().server, client_options(), "127.0.0.2"), X509_V_ERR_IP_ADDRESS_MISMATCH);
}

TEST_P(TlsVerificationTest, RejectsExpiredCertificate) {
  EXPECT_EQ(handshake_result(certificates().expired, client_options()), X509_V_ERR_CERT_HAS_EXPIRED);
}

TEST_P(TlsVerificationTest, RejectsSelfSignedCertificate) {
  EXPECT_EQ(handshake_result(certificates().self_signed, client_options()), X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT);
}

TEST_P(TlsVerificationTest, UsesSystemStoreByDefault) {
  EXPECT_EQ(handshake_result(certificates().server, {}), X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY);
}

TEST_P(TlsVerificationTest, VerificationCanBeDisabled) {
  EXPECT_EQ(handshake_result(certificates().self_signed, {.verify = false}, ""), 0);
}

TEST_P(TlsVerificationTest, VerifyingClientRequiresHost) {
  run([&] {
    auto ends = MemoryStream::pair();
    EXPECT_THROW(TlsStream(ends.first, TlsContext::client(client_options())), MisuseError);
  });
}

TEST_P(TlsVerificationTest, ErrorNamesUnusableFile) {
  const std::string missing = "/nowhere/cert.pem";
  const std::string invalid = certificates().ca_file + ".invalid";
  std::ofstream(invalid) << "not a certificate";
  for (const std::string& file : {missing, invalid}) {
    try {
      TlsContext::server({.identity = {file, file}});
      ADD_FAILURE() << "a server context without a certificate";
    } catch (const TlsError& error) {
      EXPECT_NE(std::string(error.what()).find("read certificate " + file), std::string::npos) << error.what();
    }
    EXPECT_THROW(TlsContext::client({.ca_file = file}), TlsError);
  }
  EXPECT_THROW(
      TlsContext::server({.identity = {certificates().server.certificate_file, certificates().client.key_file}}),
      TlsError);
}

TEST_P(TlsVerificationTest, ServerSelectsCertificateByName) {
  run([&] {
    TlsServerOptions options = server_options();
    options.by_name["other.test"] = certificates().other_host;
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

TEST_P(TlsVerificationTest, ServerRequiresClientCertificate) {
  run([&] {
    TlsServerOptions options = server_options();
    options.client_ca_file = certificates().ca_file;
    for (const TlsIdentity& identity : {certificates().client, certificates().self_signed, TlsIdentity{}}) {
      const bool is_trusted = identity.certificate_file == certificates().client.certificate_file;
      TlsClientOptions client_config = client_options();
      client_config.identity = identity;
      TlsPair pair(options, client_config);
      auto server = spawn([&] {
        pair.server.handshake();
        pair.server.write_all("in");
      });
      if (is_trusted) {
        EXPECT_EQ(read_text(pair.client, 2), "in");
        await(server);
        EXPECT_EQ(pair.server.peer_subject(), "CN=client");
      } else {
        EXPECT_THROW(read_text(pair.client, 2), TlsError) << "in TLS 1.3 the rejection follows the handshake";
        EXPECT_THROW(await(server), TlsError);
      }
    }
  });
}

TEST_P(TlsVerificationTest, AlpnUsesServerPreference) {
  run([&] {
    TlsServerOptions options = server_options();
    options.alpn = {"h2", "http/1.1"};
    const auto negotiate = [&](std::vector<std::string> offered) {
      TlsClientOptions client_config = client_options();
      client_config.alpn = std::move(offered);
      TlsPair pair(options, client_config);
      auto server = spawn([&] { pair.server.handshake(); });
      pair.client.handshake();
      await(server);
      EXPECT_EQ(pair.client.alpn(), pair.server.alpn());
      return pair.client.alpn();
    };
    EXPECT_EQ(negotiate({"http/1.1", "h2"}), "h2");
    EXPECT_EQ(negotiate({"http/1.1"}), "http/1.1");
    EXPECT_EQ(negotiate({}), "");
  });
}

TEST_P(TlsVerificationTest, AlpnMismatchFailsHandshake) {
  run([&] {
    TlsServerOptions options = server_options();
    options.alpn = {"h2"};
    TlsClientOptions client_config = client_options();
    client_config.alpn = {"smtp"};
    TlsPair pair(options, client_config);
    auto server = spawn([&] { pair.server.handshake(); });
    try {
      pair.client.handshake();
      ADD_FAILURE() << "handshake without a common protocol";
    } catch (const TlsError& error) {
      EXPECT_NE(std::string(error.what()).find("no application protocol"), std::string::npos) << error.what();
    }
    EXPECT_THROW(await(server), TlsError);
    EXPECT_THROW(TlsContext::client({.alpn = {""}}), MisuseError);
  });
}

TEST_P(TlsVerificationTest, MinimumVersionIsEnforced) {
  run([&] {
    TlsClientOptions client_config = client_options();
    client_config.minimum = TlsVersion::tls_1_3;
    TlsServerOptions options = server_options();
    options.minimum = TlsVersion::tls_1_3;
    TlsPair pair(options, client_config);
    auto server = spawn([&] { pair.server.handshake(); });
    pair.client.handshake();
    await(server);
    EXPECT_EQ(pair.server.version(), "TLSv1.3");
  });
}

}  // namespace
}  // namespace trueasync::test
