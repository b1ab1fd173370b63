#include "trueasync/io/file.hpp"

#include <sys/mount.h>
#include <sys/stat.h>

#include <array>
#include <fstream>
#include <sstream>

#include "file_fixture.hpp"
#include "trueasync/io/buffered_reader.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

const FileOptions kNew{.mode = FileMode::read_write, .create = true, .truncate = true};

std::string read_whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string pattern(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + (i * 7 + i / 4096) % 26);
  return text;
}

// AIO-01
TEST_F(FileTest, ReadsBackWrittenData) {
  run([&] {
    File file = File::open(path("a"), kNew);
    file.write_all("hello ");
    file.write_all("world");
    EXPECT_EQ(file.position(), 11u);
    EXPECT_EQ(file.size(), 11u);
    std::byte buffer[64];
    EXPECT_EQ(file.read_some(buffer), 0u);
    EXPECT_TRUE(file.state().eof);
    EXPECT_EQ(file.seek(6), 6u);
    EXPECT_FALSE(file.state().eof);
    EXPECT_EQ(file.read_some(buffer), 5u);
    EXPECT_EQ(to_text(std::span(buffer).first(5)), "world");
    EXPECT_EQ(file.seek(-3, SeekFrom::end), 8u);
    EXPECT_EQ(file.seek(-3, SeekFrom::current), 5u);
    EXPECT_EQ(file.bytes_written(), 11u);
    EXPECT_EQ(file.bytes_read(), 5u);
    EXPECT_THROW(file.seek(-1), IoError);
    file.sync();
    file.sync(SyncMode::data);
    file.resize(5);
    EXPECT_EQ(file.size(), 5u);
  });
  EXPECT_EQ(read_whole_file(path("a")), "hello");
}

TEST_F(FileTest, ReadAtAndWriteAtKeepPosition) {
  run([&] {
    File file = File::open(path("a"), kNew);
    file.write_at(4, as_bytes("four"));
    file.write_at(0, as_bytes("0123"));
    EXPECT_EQ(file.position(), 0u);
    std::byte buffer[8];
    EXPECT_EQ(file.read_at(2, buffer), 6u);
    EXPECT_EQ(to_text(std::span(buffer).first(6)), "23four");
    EXPECT_EQ(file.read_at(8, buffer), 0u);
    EXPECT_EQ(file.position(), 0u);
    EXPECT_THROW(file.read_at(~std::uint64_t{0}, buffer), MisuseError);
  });
}

// IO-23
TEST_F(FileTest, AppendWritesAtCurrentEnd) {
  run([&] {
    write_file(path("log"), "one\n");
    File file = File::open(path("log"), {.mode = FileMode::write, .append = true});
    EXPECT_TRUE(file.state().append);
    file.write_all("two\n");
    { std::ofstream(path("log"), std::ios::app) << "another process\n"; }
    file.write_all("three\n");
    EXPECT_EQ(read_file(path("log")), "one\ntwo\nanother process\nthree\n");
    file.resize(0);
    file.write_all("four\n");
    EXPECT_EQ(read_file(path("log")), "four\n");
  });
}

TEST_F(FileTest, ErrorsNameOperationAndReason) {
  run([&] {
    try {
      File::open(path("missing"));
      FAIL();
    } catch (const IoError& error) {
      EXPECT_EQ(error.code(), ENOENT);
      EXPECT_EQ(error.what(), "open " + path("missing") + ": No such file or directory");
    }
    write_file(path("a"), "x");
    const FileOptions exclusive{.mode = FileMode::write, .exclusive = true};
    try {
      File::open(path("a"), exclusive);
      FAIL();
    } catch (const IoError& error) {
      EXPECT_EQ(error.code(), EEXIST);
    }
    EXPECT_THROW(File::open(path("a"), {.append = true}), MisuseError);
    EXPECT_THROW(File::open(path("a"), {.truncate = true}), MisuseError);
    EXPECT_THROW(File::open(path(".")), IoError);
    File file = File::open(path("a"));
    EXPECT_THROW(file.write_all("no"), IoError);
    file.close();
    std::byte one[1];
    EXPECT_THROW(file.read_some(one), ClosedError);
    EXPECT_THROW(file.read_at(0, one), ClosedError);
    EXPECT_THROW(file.position(), ClosedError);
    EXPECT_THROW(file.size(), ClosedError);
    file.close();
  });
}

TEST_F(FileTest, RenamesRemovesAndReturnsStatus) {
  run([&] {
    write_file(path("a"), "12345");
    rename_file(path("a"), path("b"));
    EXPECT_EQ(file_status(path("b")).size, 5u);
    EXPECT_FALSE(file_status(path("b")).is_directory);
    EXPECT_TRUE(file_status(path("")).is_directory);
    remove_file(path("b"));
    EXPECT_THROW(file_status(path("b")), IoError);
    EXPECT_THROW(remove_file(path("b")), IoError);
    EXPECT_THROW(rename_file(path("b"), path("c")), IoError);
  });
}

// IO-15
TEST_F(FileTest, VectoredWriteMayExceedIovMax) {
  run([&] {
    std::vector<std::string> texts;
    std::vector<ConstBytes> pieces;
    std::string all;
    for (int i = 0; i < 3000; ++i) texts.push_back(std::to_string(i) + (i % 5 ? ";" : ""));
    for (const std::string& text : texts) {
      pieces.push_back(as_bytes(text));
      all += text;
    }
    File file = File::open(path("a"), kNew);
    file.write_all(pieces);
    EXPECT_EQ(read_file(path("a")), all);
  });
}

// IO-14
TEST_F(FileTest, LargeTransferUsesBoundedOperations) {
  // O_DSYNC makes the writes run on worker threads, the dropped cache does so for the reads.
  const std::string all = pattern(5'000'001);
  run([&] {
    File file(Io::adopt(::open(path("a").c_str(), O_RDWR | O_CREAT | O_DSYNC | O_CLOEXEC, 0600), "a"));
    EXPECT_LE(file.write_some(as_bytes(all)), all.size());
    file.seek(0);
    file.write_all(all);
    drop_cache(file.descriptor());
    file.seek(0);
    EXPECT_EQ(read_all(file, all.size()), all);
  });
}

// IO-07
TEST_F(FileTest, ConcurrentWritesDoNotInterleave) {
  constexpr std::size_t kSize = 2'500'000;  // larger than one operation
  run([&] {
    File file(Io::adopt(::open(path("a").c_str(), O_RDWR | O_CREAT | O_DSYNC | O_CLOEXEC, 0600), "a"));
    std::vector<Task<void>> tasks;
    for (char letter : {'a', 'b', 'c', 'd'}) {
      tasks.push_back(spawn([&file, letter] { file.write_all(std::string(kSize, letter)); }));
    }
    for (auto& task : tasks) await(task);
    const std::string all = read_file(path("a"));
    ASSERT_EQ(all.size(), 4 * kSize);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(all.substr(static_cast<std::size_t>(i) * kSize, kSize), std::string(kSize, static_cast<char>('a' + i)));
    }
  });
}

TEST_F(FileTest, ReadFileEnforcesLimit) {
  run([&] {
    const std::string all = pattern(700'000);
    write_file(path("a"), all);
    EXPECT_EQ(read_file(path("a")), all);
    EXPECT_THROW(read_file(path("a"), 699'999), TooLongError);
    write_file(path("a"), "");
    EXPECT_EQ(read_file(path("a")), "");
    EXPECT_NE(read_file("/proc/self/status").find("Threads:"), std::string::npos);  // neither RWF_NOWAIT nor a size
  });
}

// SCH-06
TEST_F(FileTest, CachedReadsYieldToOtherCoroutines) {
  run([&] {
    write_file(path("a"), pattern(1'000'000));
    bool done = false;
    int yields = 0;
    auto other = spawn([&] {
      while (!done) {
        ++yields;
        yield();
      }
    });
    File file = File::open(path("a"));
    std::vector<std::byte> buffer(64 * 1024);
    yields = 0;
    for (int round = 0; round < 10; ++round) {
      file.seek(0);
      while (file.read_some(buffer) != 0) {
      }
    }
    EXPECT_GE(yields, 20);
    done = true;
    await(other);
  });
}

TEST_F(FileTest, OpeningNamedPipeDoesNotBlock) {
  run([&] {
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    Io reader = open_path(path("pipe"));
    EXPECT_EQ(reader.kind(), IoKind::pipe);
    Io writer = open_path(path("pipe"), {.mode = FileMode::write});
    writer.write_all("through\n");
    writer.close();
    EXPECT_EQ(read_all(reader, 100), "through\n");
    EXPECT_THROW(File::open(path("pipe")), MisuseError) << "not a file";
    EXPECT_THROW(File(std::move(reader)), MisuseError);
    EXPECT_TRUE(reader) << "the handle remains with its owner";
  });
}

TEST_F(FileTest, ConvertsToIoAndBack) {
  run([&] {
    write_file(path("a"), "text");
    Io io = File::open(path("a"));
    EXPECT_EQ(io.kind(), IoKind::file);
    EXPECT_EQ(read_all(io, 100), "text");
    File file(std::move(io));
    EXPECT_FALSE(io);
    EXPECT_EQ(file.position(), 4u);
    EXPECT_EQ(file.size(), 4u);
    File empty;
    EXPECT_FALSE(empty);
    EXPECT_THROW(empty.size(), MisuseError);
  });
}

TEST_F(FileTest, FullDiskReportsBytesWritten) {
  const std::string disk = path("disk");
  ASSERT_EQ(::mkdir(disk.c_str(), 0700), 0);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1m") != 0) GTEST_SKIP() << "mount is not permitted";
  run([&] {
    File file = File::open(disk + "/a", kNew);
    try {
      file.write_all(pattern(3'000'000));
      ADD_FAILURE();
    } catch (const IoError& error) {
      EXPECT_EQ(error.code(), ENOSPC);
    }
    EXPECT_EQ(file.bytes_written(), 1024u * 1024);
    EXPECT_EQ(file.size(), 1024u * 1024);
    file.resize(0);
    file.seek(0);
    file.write_all("space is available again");
  });
  EXPECT_EQ(::umount(disk.c_str()), 0);
}

TEST_F(FileTest, FullDeviceFailsWithEnospc) {
  run([&] {
    File file = File::open("/dev/full", {.mode = FileMode::write});
    try {
      file.write_all("no");
      ADD_FAILURE();
    } catch (const IoError& error) {
      EXPECT_EQ(error.code(), ENOSPC);
      EXPECT_STREQ(error.what(), "write /dev/full: No space left on device");
    }
    EXPECT_EQ(file.bytes_written(), 0u);
    File zero = File::open("/dev/zero");
    std::array<std::byte, 10> ten;
    ten.fill(std::byte{1});
    EXPECT_EQ(zero.read_some(ten), 10u);
    EXPECT_EQ(ten[9], std::byte{0});
  });
}

// IO-23
TEST_F(FileTest, SharedFilePositionIsRespected) {
  // Another writer of the same descriptor must not overwrite the data.
  run([&] {
    const int fd = ::open(path("a").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    Io file = Io::adopt(::dup(fd), "a");
    file.write_all("first,");
    EXPECT_EQ(::write(fd, "other,", 6), 6);
    file.write_all("last");
    ::lseek(fd, 6, SEEK_SET);
    std::byte buffer[6];
    EXPECT_EQ(file.read_some(buffer), 6u);
    EXPECT_EQ(to_text(buffer), "other,");
    EXPECT_EQ(::lseek(fd, 0, SEEK_CUR), 12);
    ::close(fd);
  });
}

}  // namespace
}  // namespace trueasync::test
