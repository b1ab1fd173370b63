// Address: parsing, formatting, conversion and comparison.
#include <netinet/in.h>
#include <sys/un.h>

#include <unordered_set>

#include "trueasync/error.hpp"
#include "trueasync/io/address.hpp"

namespace trueasync::test {
namespace {

TEST(Address, ParseAndToStringRoundTrip) {
  for (const char* text : {"127.0.0.1:80", "[::1]:65535", "[fe80::1%7]:1", "unix:/run/x.sock", "unix:@abstract"}) {
    EXPECT_EQ(Address::parse(text).to_string(), text);
  }
  EXPECT_EQ(Address::parse("10.0.0.1").to_string(), "10.0.0.1:0");
  EXPECT_EQ(Address::parse("::1").to_string(), "[::1]:0");
  EXPECT_EQ(Address::parse("[2001:0db8::0001]").host(), "2001:db8::1");
  EXPECT_EQ(Address::parse("::1%lo").scope(), 1u);
}

TEST(Address, ParseRejectsInvalidText) {
  for (const char* text : {"", "localhost", "127.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:8x", "[::1", "[::1]8",
                           "[::1]:", "::1%nosuchlink0", "[127.0.0.1]:1", "unix:", "127.0.0.1:-1", ":80", "1.2.3.4 "}) {
    EXPECT_FALSE(Address::try_parse(text)) << text;
    EXPECT_THROW(Address::parse(text), MisuseError) << text;
  }
  EXPECT_FALSE(Address::try_ip(std::string_view("127.0.0.1\0x", 11), 1)) << "contains a NUL";
  EXPECT_THROW(Address::unix_socket(std::string(108, 'x')), MisuseError);
  EXPECT_NO_THROW(Address::unix_socket(std::string(107, 'x')));
  EXPECT_NO_THROW(Address::unix_socket("@" + std::string(107, 'x')));
}

TEST(Address, ConvertsToAndFromSockaddr) {
  const Address ipv4 = Address::parse("1.2.3.4:5");
  EXPECT_EQ(ipv4.size(), sizeof(sockaddr_in));
  EXPECT_EQ(reinterpret_cast<const sockaddr_in*>(ipv4.data())->sin_port, htons(5));
  for (const char* text : {"1.2.3.4:5", "[::2]:5", "unix:/a", "unix:@a"}) {
    const Address address = Address::parse(text);
    EXPECT_EQ(Address::from(address.data(), address.size()), address) << text;
  }
  const sockaddr_un unnamed{AF_UNIX, {}};
  const Address unnamed_address = Address::from(reinterpret_cast<const sockaddr*>(&unnamed), sizeof(sa_family_t));
  EXPECT_EQ(unnamed_address.family(), AddressFamily::unix_domain);
  EXPECT_EQ(unnamed_address.host(), "");
  EXPECT_THROW(Address::from(ipv4.data(), 4), MisuseError) << "too short";
  const sockaddr unknown_family{255, {}};
  EXPECT_THROW(Address::from(&unknown_family, sizeof unknown_family), MisuseError);
}

TEST(Address, ComparesAndHashesByValue) {
  const Address a = Address::ip("127.0.0.1", 80);
  EXPECT_EQ(a, Address::loopback(AddressFamily::ipv4, 80));
  EXPECT_NE(a, a.with_port(81));
  EXPECT_LT(a, a.with_port(81));
  EXPECT_NE(Address::parse("fe80::1%1"), Address::parse("fe80::1%2"));
  EXPECT_EQ(Address::any(AddressFamily::ipv6, 1).host(), "::");
  EXPECT_FALSE(Address());
  EXPECT_EQ(Address().to_string(), "");
  EXPECT_EQ((std::unordered_set<Address>{a, a.with_port(80), Address()}).size(), 2u);
  EXPECT_TRUE(Address::parse("unix:@a").is_abstract());
  EXPECT_FALSE(Address::parse("unix:/a").is_abstract());
}

}  // namespace
}  // namespace trueasync::test
