// Certificates: generated PEM files in a temporary folder that is removed at exit. A certificate authority,
// certificates that it has signed (valid, expired, for another host), and a self-signed certificate.
#pragma once

#include <string>

#include "trueasync/io/tls.hpp"

namespace trueasync::test {

struct Certificates {
  std::string ca_file;
  std::string other_ca_file;
  TlsIdentity server;       // localhost, 127.0.0.1
  TlsIdentity expired;      // localhost, expired yesterday
  TlsIdentity other_host;   // other.test
  TlsIdentity self_signed;  // localhost
  TlsIdentity client;       // CN=client

  static const Certificates& get();
};

}  // namespace trueasync::test
