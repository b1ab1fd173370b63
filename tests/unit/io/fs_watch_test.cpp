// FsWatcher on real directories.
#include "trueasync/io/fs_watch.hpp"

#include <filesystem>
#include <fstream>
#include <set>

#include "runtime_fixture.hpp"
#include "trueasync/io/error.hpp"

namespace trueasync::test {
namespace {

namespace fs = std::filesystem;

class FsWatchTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    std::string name = ::testing::TempDir() + "fs_watch_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override {
    fs::remove_all(directory_);
    RuntimeTest::TearDown();
  }

  fs::path path_of(const std::string& name) const { return directory_ / name; }
  void write(const std::string& name, const std::string& text = "x") const {
    std::ofstream(path_of(name), std::ios::app) << text;
  }
  FsWatchOptions watch_options(bool recursive = false) const {
    return {.path = directory_.string(), .recursive = recursive};
  }

  // Takes changes until all names were reported. Returns the other reported names.
  static std::set<std::string> expect_reported(FsWatcher& watcher, std::set<std::string> names) {
    std::set<std::string> others;
    while (!names.empty()) {
      std::optional<FsEvent> event;
      try {
        event = watcher.next(10s);
      } catch (const TimeoutError&) {
      }
      if (!event) {
        ADD_FAILURE() << "not reported: " << *names.begin() << " and " << names.size() - 1 << " more";
        break;
      }
      if (names.erase(event->filename) == 0) others.insert(event->filename);
    }
    return others;
  }

  fs::path directory_;
};

// REA-02
TEST_F(FsWatchTest, ReportsCreateChangeRenameAndRemove) {
  run([&] {
    FsWatcher watcher(watch_options());
    write("a");
    auto event = watcher.next(kNever);
    EXPECT_EQ(event->path, directory_.string());
    EXPECT_EQ(event->filename, "a");
    EXPECT_TRUE(event->renamed) << "created";
    while (watcher.try_next()) {
    }
    delay(1ms);
    while (watcher.try_next()) {
    }
    write("a", "more");
    event = watcher.next(kNever);
    EXPECT_TRUE(event->changed);
    EXPECT_FALSE(event->renamed);
    delay(1ms);
    while (watcher.try_next()) {
    }
    fs::rename(path_of("a"), path_of("b"));
    expect_reported(watcher, {"a", "b"});
    fs::remove(path_of("b"));
    expect_reported(watcher, {"b"});
  });
}

TEST_F(FsWatchTest, NonRecursiveIgnoresSubdirectories) {
  run([&] {
    fs::create_directory(path_of("sub"));
    FsWatcher watcher(watch_options());
    write("sub/hidden");
    write("seen");
    EXPECT_EQ(expect_reported(watcher, {"seen"}).count("sub/hidden"), 0u);
  });
}

// FS-01
TEST_F(FsWatchTest, WatchesNewDirectoriesAndReportsContents) {
  run([&] {
    FsWatcher watcher(watch_options(true));
    fs::create_directories(path_of("x/y/z"));  // and filled before it can be watched
    write("x/y/z/deep");
    write("x/top");
    expect_reported(watcher, {"x", "x/y", "x/y/z", "x/y/z/deep", "x/top"});
    write("x/y/z/later");
    expect_reported(watcher, {"x/y/z/later"});
  });
}

// FS-01
TEST_F(FsWatchTest, WatchesExistingTree) {
  run([&] {
    for (int i = 0; i < 30; ++i) fs::create_directories(path_of("d" + std::to_string(i) + "/e"));
    FsWatcher watcher(watch_options(true));
    std::set<std::string> names;
    for (int i = 0; i < 30; ++i) {
      names.insert("d" + std::to_string(i) + "/e/f");
      write("d" + std::to_string(i) + "/e/f");
    }
    EXPECT_EQ(expect_reported(watcher, names), std::set<std::string>{});
  });
}

// FS-01
TEST_F(FsWatchTest, FollowsRenamedDirectory) {
  run([&] {
    fs::create_directories(path_of("old/sub"));
    fs::create_directories(path_of("old-other"));  // sorts between "old" and "old/"
    write("old/sub/file");
    FsWatcher watcher(watch_options(true));
    fs::rename(path_of("old"), path_of("new"));
    expect_reported(watcher, {"old", "old/sub", "old/sub/file", "new", "new/sub", "new/sub/file"});
    write("new/sub/file");
    const auto others = expect_reported(watcher, {"new/sub/file"});
    EXPECT_EQ(others.count("old/sub/file"), 0u);
    write("old-other/file");
    expect_reported(watcher, {"old-other/file"});
  });
}

// FS-01
TEST_F(FsWatchTest, DirectoryMovedOutIsNotWatched) {
  const fs::path outside = directory_.string() + "_outside";
  run([&] {
    fs::create_directories(path_of("sub"));
    FsWatcher watcher(watch_options(true));
    fs::rename(path_of("sub"), outside);
    expect_reported(watcher, {"sub"});
    std::ofstream(outside / "file") << "x";
    write("inside");
    EXPECT_EQ(expect_reported(watcher, {"inside"}).count("sub/file"), 0u);
  });
  fs::remove_all(outside);
}

// FS-01
TEST_F(FsWatchTest, TreeMayBeDeletedAndRecreated) {
  run([&] {
    FsWatcher watcher(watch_options(true));
    for (int round = 0; round < 3; ++round) {
      fs::create_directories(path_of("a/b"));
      write("a/b/c");
      expect_reported(watcher, {"a", "a/b", "a/b/c"});
      fs::remove_all(path_of("a"));
      expect_reported(watcher, {"a", "a/b", "a/b/c"});
    }
  });
}

// FS-01
TEST_F(FsWatchTest, OverflowTriggersRescan) {
  run([&] {
    fs::create_directories(path_of("busy"));
    fs::create_directories(path_of("quiet"));
    write("quiet/doomed");
    std::size_t limit = 16384;
    std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> limit;
    if (limit > 100000) GTEST_SKIP() << "the kernel's queue is too long to overflow in a test";
    FsWatcher watcher(watch_options(true));
    // The coroutine does not suspend: the kernel's queue overflows and drops the following changes.
    for (std::size_t i = 0; i <= limit / 2; ++i) {
      fs::create_hard_link(path_of("quiet/doomed"), path_of("busy/link"));
      fs::remove(path_of("busy/link"));
    }
    write("quiet/lost");
    fs::remove(path_of("quiet/doomed"));
    fs::create_directories(path_of("late/below"));
    write("late/below/file");
    expect_reported(watcher, {"quiet/lost", "quiet/doomed", "late", "late/below", "late/below/file"});
    write("late/below/again");
    expect_reported(watcher, {"late/below/again"});
  });
}

// FS-02
TEST_F(FsWatchTest, DebounceMergesBurst) {
  run([&] {
    FsWatchOptions options = watch_options();
    options.debounce = 30ms;
    options.max_debounce = 10s;
    FsWatcher watcher(options);
    for (int i = 0; i < 50; ++i) {
      write("a");
      if (i % 10 == 0) yield();
    }
    const auto event = watcher.next(kNever);
    EXPECT_EQ(event->filename, "a");
    EXPECT_TRUE(event->renamed && event->changed);
    EXPECT_FALSE(watcher.try_next()) << "fifty writes, one event";
  });
}

TEST_F(FsWatchTest, FiltersByExtension) {
  run([&] {
    FsWatchOptions options = watch_options(true);
    options.extensions = {"cpp", ".hpp"};
    FsWatcher watcher(options);
    fs::create_directories(path_of("src.d"));
    for (const char* name : {"src.d/a.txt", "src.d/b.cpp", "src.d/cpp", "src.d/c.hpp", "src.d/d.xcpp"}) write(name);
    EXPECT_EQ(expect_reported(watcher, {"src.d/b.cpp", "src.d/c.hpp"}), std::set<std::string>{});
  });
}

TEST_F(FsWatchTest, SingleFileWatchSurvivesReplacement) {
  run([&] {
    write("config");
    FsWatcher watcher({.path = path_of("config").string()});
    write("other");
    write("config");
    EXPECT_EQ(expect_reported(watcher, {"config"}), std::set<std::string>{});
    for (int i = 0; i < 2; ++i) {
      write("config.new");
      fs::rename(path_of("config.new"), path_of("config"));
      EXPECT_EQ(expect_reported(watcher, {"config"}), std::set<std::string>{});
    }
  });
}

// REA-02
TEST_F(FsWatchTest, CloseWakesWaiters) {
  run([&] {
    FsWatcher watcher(watch_options());
    int ended = 0;
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 3; ++i) {
      tasks.push_back(spawn([&] {
        for ([[maybe_unused]] const FsEvent& event : watcher) ADD_FAILURE() << event.filename;
        ++ended;
      }));
    }
    yield();
    watcher.close();
    for (auto& task : tasks) await(task);
    EXPECT_EQ(ended, 3);
    EXPECT_TRUE(watcher.is_closed());
    EXPECT_FALSE(watcher.next().has_value());
  });
}

// R2
TEST_F(FsWatchTest, MayBeDestroyedDuringWait) {
  run([&] {
    auto watcher = std::make_unique<FsWatcher>(watch_options());
    auto waiting = spawn([&] { return watcher->next(kNever).has_value(); });
    yield();
    watcher.reset();
    EXPECT_FALSE(await(waiting));
  });
}

TEST_F(FsWatchTest, TimeoutAndCancelLoseNoChange) {
  run([&] {
    FsWatcher watcher(watch_options());
    EXPECT_THROW(watcher.next(1ms), TimeoutError);
    auto waiting = spawn([&] { watcher.next(); });
    yield();
    write("a");
    waiting.cancel();
    EXPECT_THROW(await(waiting), Cancelled);
    expect_reported(watcher, {"a"});
  });
}

TEST_F(FsWatchTest, EndsWhenDirectoryIsRemoved) {
  run([&] {
    fs::create_directory(path_of("sub"));
    FsWatcher watcher({.path = path_of("sub").string()});
    fs::remove(path_of("sub"));
    const auto event = watcher.next(kNever);
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->filename, "");
    EXPECT_TRUE(event->renamed);
    EXPECT_FALSE(watcher.next(kNever).has_value());
  });
}

TEST_F(FsWatchTest, UnwatchablePathFails) {
  run([&] {
    EXPECT_EQ(text_of_thrown<IoError>([] { FsWatcher({.path = "/no/such/directory"}); }),
              "watch /no/such/directory: No such file or directory");
    EXPECT_THROW(FsWatcher({}), MisuseError);
  });
}

// EVT-05
TEST_F(FsWatchTest, IsBackgroundWithoutWaiter) {
  std::optional<FsWatcher> watcher;
  run_leaving(2, [&] {
    watcher.emplace(watch_options());
  });  // returns although the watcher exists; the watcher outlives the runtime
  write("a");
  EXPECT_FALSE(watcher->try_next());
}

// REA-02
TEST_F(FsWatchTest, IsAwaitableAsEvent) {
  run([&] {
    FsWatcher watcher(watch_options());
    Timeout never(kNever);
    write("a");
    Event* events[] = {&never.event(), &watcher.event()};
    EXPECT_EQ(wait_any(events), 1u);
    EXPECT_EQ(watcher.try_next()->filename, "a");
  });
}

TEST_F(FsWatchTest, TokenEndsWaitWithoutLosingChanges) {
  run([&] {
    FsWatcher watcher(watch_options());
    EXPECT_THROW(watcher.next(timeout(1ms)), OperationCancelled);
    write("a");
    expect_reported(watcher, {"a"});
  });
}

}  // namespace
}  // namespace trueasync::test
