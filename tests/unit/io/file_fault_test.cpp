// File operations whose waiter is cancelled, whose handle is closed or destroyed, or without a free worker thread.
#include <cstring>

#include "file_fixture.hpp"
#include "slow_file.hpp"
#include "trueasync/io/file.hpp"
#include "trueasync/io/io.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// CA-10 R2 IO-02
TEST_F(FileTest, CancelledWriteCompletesFromItsOwnBuffer) {
  run([&] {
    SlowFile slow(SlowFile::Side::write);
    auto writer = spawn([&] {
      std::string data(1000, 'x');
      try {
        slow.file.write_all(data);
      } catch (const Cancelled&) {
        std::memset(data.data(), '!', data.size());  // the operation must not use the caller's memory any more
        throw;
      }
    });
    delay(100ms);  // until a worker thread has started it; otherwise the cancellation drops it
    writer.cancel();
    EXPECT_THROW(await(writer), Cancelled);
    EXPECT_EQ(slow.file.bytes_written(), 0u);
    EXPECT_EQ(slow.take(1000), std::string(1000, 'x'));
    slow.file.write_all("y");  // waits for the abandoned write
    EXPECT_EQ(slow.file.bytes_written(), 1001u);
    EXPECT_EQ(slow.take(1), "y");
  });
}

// IO-07
TEST_F(FileTest, NextWriterWaitsForAbandonedWrite) {
  run([&] {
    SlowFile slow(SlowFile::Side::write);
    EXPECT_THROW(slow.file.write_all("first,", 100ms), TimeoutError);
    auto second = spawn([&] { slow.file.write_all("second,"); });
    auto third = spawn([&] { slow.file.write_all("third"); });
    delay(5ms);
    EXPECT_FALSE(second.is_finished());
    EXPECT_EQ(slow.take(6), "first,");
    await(second);
    await(third);
    EXPECT_EQ(slow.take(12), "second,third");
  });
}

// IO-09 IO-03 AIO-03
TEST_F(FileTest, CloseWakesWaitersAndKeepsDescriptorForThread) {
  run([&] {
    SlowFile slow(SlowFile::Side::read);
    const int fd = slow.descriptor;
    auto read = [&] {
      std::byte buffer[16];
      slow.file.read_some(buffer);
    };
    auto first = spawn(read);
    auto second = spawn(read);
    delay(5ms);
    slow.file.close();
    EXPECT_THROW(await(first), ClosedError);
    EXPECT_THROW(await(second), ClosedError);
    EXPECT_TRUE(SlowFile::is_open(fd));  // otherwise the thread might read from a reused descriptor
    slow.give("late");
    while (SlowFile::is_open(fd)) delay(1ms);
  });
}

// IO-03
TEST_F(FileTest, HandleMayBeDestroyedDuringOperation) {
  run([&] {
    auto slow = std::make_unique<SlowFile>(SlowFile::Side::read);
    std::byte buffer[16];
    EXPECT_THROW(slow->file.read_some(buffer, 2ms), TimeoutError);
    slow->give("late");
    slow.reset();
  });
}

// IO-22
TEST_F(FileTest, TimedOutReadConsumesNothing) {
  run([&] {
    write_file(path("a"), "contents");
    File file = File::open(path("a"), {.mode = FileMode::read_write});
    file.sync();
    drop_cache(file.descriptor());
    std::byte buffer[8];
    {
      BusyPool busy;
      try {
        file.read_some(buffer, 2ms);
        GTEST_SKIP() << "this file system does not drop its cache";
      } catch (const TimeoutError&) {
      }
      busy.release();
    }
    EXPECT_EQ(file.read_some(buffer), 8u);
    EXPECT_EQ(to_text(buffer), "contents");
  });
}

// R2
TEST_F(FileTest, AbandonedOpenLeaksNoDescriptor) {
  // The fixture checks for leaked descriptors.
  run([&] {
    write_file(path("a"), "x");
    for (int i = 0; i < 50; ++i) {
      auto opening = spawn([&] { File::open(path("a")); });
      yield();
      opening.cancel();
    }
    BusyPool busy;
    EXPECT_THROW(File::open(path("a"), {}, 1ms), TimeoutError);
  });
}

// IO-27
TEST_F(FileTest, LockWaitersUseNoWorkerThread) {
  run([&] {
    write_file(path("a"), "");
    File holder(Io::adopt(::open(path("a").c_str(), O_RDWR | O_DSYNC | O_CLOEXEC), "a"));
    auto lock = std::make_optional(holder.lock());
    int acquired = 0;
    std::vector<Task<void>> waiters;
    for (int i = 0; i < 20; ++i) {
      waiters.push_back(spawn([&] {
        File file = File::open(path("a"), {.mode = FileMode::read_write});
        FileLock own_lock = file.lock();
        ++acquired;
      }));
    }
    delay(5ms);
    holder.write_all("by a thread");  // needs a worker thread
    EXPECT_EQ(acquired, 0);
    File other = File::open(path("a"));
    EXPECT_FALSE(other.try_lock(LockMode::shared).has_value());
    EXPECT_THROW(other.lock(LockMode::exclusive, 3ms), TimeoutError);
    lock.reset();
    for (auto& waiter : waiters) await(waiter);
    EXPECT_EQ(acquired, 20);
    auto one = other.try_lock(LockMode::shared);
    EXPECT_TRUE(holder.try_lock(LockMode::shared).has_value());
  });
}

// AIO-02
TEST_F(FileTest, RequestCompletesOnceWithResult) {
  run([&] {
    File file = File::open(path("a"), {.mode = FileMode::read_write, .create = true});
    std::string data = "request";
    Ref<IoRequest> write = file.write_request(as_bytes(data));
    EXPECT_THROW(write->result(), MisuseError);
    Event* events[] = {write.get()};
    EXPECT_EQ(wait_any(events), 0u);
    EXPECT_TRUE(write->is_completed());
    EXPECT_EQ(write->result(), 7u);
    file.seek(0);
    std::byte buffer[16];
    Ref<IoRequest> read = file.read_request(buffer);
    events[0] = read.get();
    wait_any(events);
    EXPECT_EQ(read->result(), 7u);
    EXPECT_EQ(to_text(std::span(buffer).first(7)), data);
    wait_any(events);  // already completed: no second read
    EXPECT_EQ(file.bytes_read(), 7u);
    file.close();
    Ref<IoRequest> late = file.read_request(buffer);
    events[0] = late.get();
    wait_any(events);
    EXPECT_THROW(late->result(), ClosedError);
  });
}

// CA-10 IO-02 IO-17
TEST_F(FileTest, RequestMayBeDestroyedDuringOperation) {
  run([&] {
    SlowFile slow(SlowFile::Side::write);
    {
      std::string data(500, 'r');
      Ref<IoRequest> request = slow.file.write_request(as_bytes(data));
      Event* events[] = {request.get()};
      EXPECT_THROW(wait_any(events, 2ms), TimeoutError);
    }
    EXPECT_EQ(slow.take(500), std::string(500, 'r'));
  });
}

}  // namespace
}  // namespace trueasync::test
