#include "certificates.hpp"

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>

namespace trueasync::test {

namespace {

constexpr long kDay = 24 * 60 * 60;

void check(bool ok, const char* what) {
  if (!ok) throw std::runtime_error(std::string("cannot create certificate: ") + what);
}

struct KeyPair {
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key{nullptr, &EVP_PKEY_free};
  std::unique_ptr<X509, decltype(&X509_free)> certificate{nullptr, &X509_free};
};

struct CertificateSpec {
  const char* common_name;
  const char* names = nullptr;  // "DNS:localhost,IP:127.0.0.1"
  long days = 30;
  bool is_authority = false;
};

void add_extension(X509* certificate, X509* issuer, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
  check(extension != nullptr, value);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

// Signed by `issuer`; self-signed without an issuer.
KeyPair create_certificate(const CertificateSpec& spec, const KeyPair* issuer) {
  static long serial = 1;
  KeyPair created;
  created.key.reset(EVP_EC_gen("P-256"));
  created.certificate.reset(X509_new());
  X509* certificate = created.certificate.get();
  check(created.key && certificate, "key");
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial++);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -60 * kDay);
  X509_gmtime_adj(X509_getm_notAfter(certificate), spec.days * kDay);
  X509_set_pubkey(certificate, created.key.get());
  X509_NAME* name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(spec.common_name), -1, -1,
                             0);
  X509* parent = issuer ? issuer->certificate.get() : certificate;
  X509_set_issuer_name(certificate, X509_get_subject_name(parent));
  add_extension(certificate, parent, NID_basic_constraints, spec.is_authority ? "critical,CA:TRUE" : "CA:FALSE");
  if (spec.names) add_extension(certificate, parent, NID_subject_alt_name, spec.names);
  check(X509_sign(certificate, issuer ? issuer->key.get() : created.key.get(), EVP_sha256()) > 0, "signature");
  return created;
}

std::string folder() {
  static const struct Folder {
    Folder() {
      char path[] = "/tmp/trueasync-tls-XXXXXX";
      check(::mkdtemp(path) != nullptr, path);
      name = path;
    }
    ~Folder() { std::filesystem::remove_all(name); }
    std::string name;
  } folder;
  return folder.name;
}

template <class F>
std::string save(const std::string& name, F write) {
  const std::string path = folder() + "/" + name;
  std::FILE* file = std::fopen(path.c_str(), "w");
  check(file && write(file), path.c_str());
  std::fclose(file);
  return path;
}

TlsIdentity save(const std::string& name, const KeyPair& pair) {
  return {save(name + ".pem", [&](std::FILE* file) { return PEM_write_X509(file, pair.certificate.get()); }),
          save(name + ".key", [&](std::FILE* file) {
            return PEM_write_PrivateKey(file, pair.key.get(), nullptr, nullptr, 0, nullptr, nullptr);
          })};
}

Certificates create_all() {
  constexpr const char* kLocal = "DNS:localhost,IP:127.0.0.1";
  const KeyPair authority = create_certificate({"Test authority", nullptr, 30, true}, nullptr);
  const KeyPair other = create_certificate({"Other authority", nullptr, 30, true}, nullptr);
  Certificates all;
  all.ca_file = save("ca", authority).certificate_file;
  all.other_ca_file = save("other_ca", other).certificate_file;
  all.server = save("server", create_certificate({"localhost", kLocal}, &authority));
  all.expired = save("expired", create_certificate({"localhost", kLocal, -1}, &authority));
  all.other_host = save("other_host", create_certificate({"other.test", "DNS:other.test"}, &authority));
  all.self_signed = save("self_signed", create_certificate({"localhost", kLocal}, nullptr));
  all.client = save("client", create_certificate({"client"}, &authority));
  return all;
}

}  // namespace

const Certificates& Certificates::get() {
  static const Certificates all = create_all();
  return all;
}

}  // namespace trueasync::test
