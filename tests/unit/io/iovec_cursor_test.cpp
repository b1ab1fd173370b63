#include "io/iovec_cursor.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace trueasync::detail {
namespace {

// IO-14 IO-15
TEST(IovecCursor, YieldsSameBytesForAnyStepSize) {
  std::vector<std::string> texts;
  std::string all;
  for (int i = 0; i < 200; ++i) {
    texts.push_back(std::string(static_cast<std::size_t>(i % 4), static_cast<char>('a' + i % 26)));
    all += texts.back();
  }
  std::vector<ConstBytes> pieces;
  for (const std::string& text : texts) pieces.push_back(as_bytes(text));
  for (std::size_t max_bytes : {1, 2, 3, 7, 50, 1000}) {
    for (std::size_t max_step : {1, 2, 5, 1000}) {
      std::string seen;
      IovecCursor cursor(pieces);
      while (!cursor.is_done()) {
        iovec entries[IovecCursor::kMaxEntries];
        const int count = cursor.next(entries, max_bytes);
        ASSERT_GT(count, 0);
        std::string offered;
        for (int i = 0; i < count; ++i) offered.append(static_cast<char*>(entries[i].iov_base), entries[i].iov_len);
        ASSERT_LE(offered.size(), max_bytes);
        const std::size_t step = std::min(max_step, offered.size());
        seen += offered.substr(0, step);
        cursor.advance(step);
      }
      EXPECT_EQ(seen, all);
    }
  }
}

TEST(IovecCursor, CopiesRemainingBytes) {
  const std::string texts[] = {"abc", "", "defg", ""};
  const ConstBytes pieces[] = {as_bytes(texts[0]), as_bytes(texts[1]), as_bytes(texts[2]), as_bytes(texts[3])};
  IovecCursor cursor(pieces);
  cursor.advance(2);
  EXPECT_EQ(cursor.remaining(3), 3u);
  EXPECT_EQ(cursor.remaining(100), 5u);
  std::string copy(5, ' ');
  cursor.copy_to(std::as_writable_bytes(std::span(copy)));
  EXPECT_EQ(copy, "cdefg");
  cursor.advance(5);
  EXPECT_TRUE(cursor.is_done());
  EXPECT_TRUE(IovecCursor({}).is_done());
}

}  // namespace
}  // namespace trueasync::detail
