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

void expect(bool is_good, const char* what) {
  if (!is_good) throw std::runtime_error(std::string("can't make a certificate: ") + what);
}

struct Made {
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key{nullptr, &EVP_PKEY_free};
  std::unique_ptr<X509, decltype(&X509_free)> certificate{nullptr, &X509_free};
};

struct Wish {
  const char* common_name;
  const char* names = nullptr;  // "DNS:localhost,IP:127.0.0.1"
  long days = 30;
  bool is_authority = false;
};

void add_extension(X509* certificate, X509* issuer, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
  expect(extension != nullptr, value);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

// Signed by `issuer`, or by itself.
Made make(const Wish& wish, const Made* issuer) {
  static long serial = 1;
  Made made;
  made.key.reset(EVP_EC_gen("P-256"));
  made.certificate.reset(X509_new());
  X509* certificate = made.certificate.get();
  expect(made.key && certificate, "key");
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial++);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -60 * kDay);
  X509_gmtime_adj(X509_getm_notAfter(certificate), wish.days * kDay);
  X509_set_pubkey(certificate, made.key.get());
  X509_NAME* name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(wish.common_name), -1, -1,
                             0);
  X509* parent = issuer ? issuer->certificate.get() : certificate;
  X509_set_issuer_name(certificate, X509_get_subject_name(parent));
  add_extension(certificate, parent, NID_basic_constraints, wish.is_authority ? "critical,CA:TRUE" : "CA:FALSE");
  if (wish.names) add_extension(certificate, parent, NID_subject_alt_name, wish.names);
  expect(X509_sign(certificate, issuer ? issuer->key.get() : made.key.get(), EVP_sha256()) > 0, "signature");
  return made;
}

std::string folder() {
  static const struct Folder {
    Folder() {
      char path[] = "/tmp/trueasync-tls-XXXXXX";
      expect(::mkdtemp(path) != nullptr, path);
      name = path;
    }
    ~Folder() { std::filesystem::remove_all(name); }
    std::string name;
  } made;
  return made.name;
}

template <class F>
std::string save(const std::string& name, F write) {
  const std::string path = folder() + "/" + name;
  std::FILE* file = std::fopen(path.c_str(), "w");
  expect(file && write(file), path.c_str());
  std::fclose(file);
  return path;
}

TlsIdentity save(const std::string& name, const Made& made) {
  return {save(name + ".pem", [&](std::FILE* file) { return PEM_write_X509(file, made.certificate.get()); }),
          save(name + ".key", [&](std::FILE* file) {
            return PEM_write_PrivateKey(file, made.key.get(), nullptr, nullptr, 0, nullptr, nullptr);
          })};
}

Certificates make_all() {
  constexpr const char* kLocal = "DNS:localhost,IP:127.0.0.1";
  const Made authority = make({"Test authority", nullptr, 30, true}, nullptr);
  const Made other = make({"Other authority", nullptr, 30, true}, nullptr);
  Certificates all;
  all.ca_file = save("ca", authority).certificate_file;
  all.other_ca_file = save("other_ca", other).certificate_file;
  all.server = save("server", make({"localhost", kLocal}, &authority));
  all.expired = save("expired", make({"localhost", kLocal, -1}, &authority));
  all.other_host = save("other_host", make({"other.test", "DNS:other.test"}, &authority));
  all.self_signed = save("self_signed", make({"localhost", kLocal}, nullptr));
  all.client = save("client", make({"client"}, &authority));
  return all;
}

}  // namespace

const Certificates& Certificates::get() {
  static const Certificates all = make_all();
  return all;
}

}  // namespace trueasync::test
