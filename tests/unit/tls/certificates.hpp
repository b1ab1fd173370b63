// Certificates made by the test itself, as PEM files in a folder that goes with the process: a certificate authority,
// and what it has signed – good, expired, for another host – and one that signed itself.
#pragma once

#include <string>

#include "trueasync/tls_context.hpp"

namespace trueasync::test {

struct Certificates {
  std::string ca_file;
  std::string other_ca_file;
  TlsIdentity server;       // localhost, 127.0.0.1
  TlsIdentity expired;      // localhost, until yesterday
  TlsIdentity other_host;   // other.test
  TlsIdentity self_signed;  // localhost
  TlsIdentity client;       // CN=client

  static const Certificates& get();
};

}  // namespace trueasync::test
