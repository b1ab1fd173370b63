// Watching real directories.
#include "trueasync/fs_watch.hpp"

#include <filesystem>
#include <fstream>
#include <set>

#include "runtime_fixture.hpp"
#include "trueasync/io_error.hpp"

namespace trueasync::test {
namespace {

namespace fs = std::filesystem;

class FsWatchTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    std::string name = ::testing::TempDir() + "fs_watch_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    location_ = name;
  }
  void TearDown() override {
    fs::remove_all(location_);
    RuntimeTest::TearDown();
  }

  fs::path at(const std::string& name) const { return location_ / name; }
  void write(const std::string& name, const std::string& text = "x") const {
    std::ofstream(at(name), std::ios::app) << text;
  }
  FsWatchOptions here(bool recursive = false) const { return {.path = location_.string(), .recursive = recursive}; }

  // Fetches until all of these names were told; what else was told is returned.
  static std::set<std::string> expect_told(FsWatcher& watcher, std::set<std::string> names) {
    std::set<std::string> others;
    while (!names.empty()) {
      std::optional<FsEvent> event;
      try {
        event = watcher.next(10s);
      } catch (const TimeoutError&) {
      }
      if (!event) {
        ADD_FAILURE() << "never told: " << *names.begin() << " and " << names.size() - 1 << " others";
        break;
      }
      if (names.erase(event->filename) == 0) others.insert(event->filename);
    }
    return others;
  }

  fs::path location_;
};

TEST_F(FsWatchTest, TellsWhatAppearsChangesAndGoes) {
  // REA-02
  run([&] {
    FsWatcher watcher(here());
    write("a");
    auto event = watcher.next(kNever);
    EXPECT_EQ(event->path, location_.string());
    EXPECT_EQ(event->filename, "a");
    EXPECT_TRUE(event->renamed) << "it appeared";
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
    fs::rename(at("a"), at("b"));
    expect_told(watcher, {"a", "b"});
    fs::remove(at("b"));
    expect_told(watcher, {"b"});
  });
}

TEST_F(FsWatchTest, WithoutRecursionWhatIsBelowIsNotTold) {
  run([&] {
    fs::create_directory(at("sub"));
    FsWatcher watcher(here());
    write("sub/hidden");
    write("seen");
    EXPECT_EQ(expect_told(watcher, {"seen"}).count("sub/hidden"), 0u);
  });
}

TEST_F(FsWatchTest, NewDirectoriesAreWatchedAndTheirContentIsTold) {
  // FS-01
  run([&] {
    FsWatcher watcher(here(true));
    fs::create_directories(at("x/y/z"));  // and filled before anybody could watch it
    write("x/y/z/deep");
    write("x/top");
    expect_told(watcher, {"x", "x/y", "x/y/z", "x/y/z/deep", "x/top"});
    write("x/y/z/later");
    expect_told(watcher, {"x/y/z/later"});
  });
}

TEST_F(FsWatchTest, ATreeThatIsThereIsWatchedWhole) {
  // FS-01
  run([&] {
    for (int i = 0; i < 30; ++i) fs::create_directories(at("d" + std::to_string(i) + "/e"));
    FsWatcher watcher(here(true));
    std::set<std::string> names;
    for (int i = 0; i < 30; ++i) {
      names.insert("d" + std::to_string(i) + "/e/f");
      write("d" + std::to_string(i) + "/e/f");
    }
    EXPECT_EQ(expect_told(watcher, names), std::set<std::string>{});
  });
}

TEST_F(FsWatchTest, ADirectoryThatMovesIsFollowedUnderItsNewName) {
  // FS-01
  run([&] {
    fs::create_directories(at("old/sub"));
    fs::create_directories(at("old-other"));  // sorts between "old" and "old/"
    write("old/sub/file");
    FsWatcher watcher(here(true));
    fs::rename(at("old"), at("new"));
    expect_told(watcher, {"old", "old/sub", "old/sub/file", "new", "new/sub", "new/sub/file"});
    write("new/sub/file");
    const auto others = expect_told(watcher, {"new/sub/file"});
    EXPECT_EQ(others.count("old/sub/file"), 0u);
    write("old-other/file");
    expect_told(watcher, {"old-other/file"});
  });
}

TEST_F(FsWatchTest, ADirectoryMovedAwayIsNotWatchedAnyMore) {
  // FS-01
  const fs::path outside = location_.string() + "_outside";
  run([&] {
    fs::create_directories(at("sub"));
    FsWatcher watcher(here(true));
    fs::rename(at("sub"), outside);
    expect_told(watcher, {"sub"});
    std::ofstream(outside / "file") << "x";
    write("mine");
    EXPECT_EQ(expect_told(watcher, {"mine"}).count("sub/file"), 0u);
  });
  fs::remove_all(outside);
}

TEST_F(FsWatchTest, AWatchedTreeMayBeDeletedAndMadeAgain) {
  // FS-01
  run([&] {
    FsWatcher watcher(here(true));
    for (int round = 0; round < 3; ++round) {
      fs::create_directories(at("a/b"));
      write("a/b/c");
      expect_told(watcher, {"a", "a/b", "a/b/c"});
      fs::remove_all(at("a"));
      expect_told(watcher, {"a", "a/b", "a/b/c"});
    }
  });
}

TEST_F(FsWatchTest, WhatTheSystemCouldNotHoldIsFoundByComparing) {
  // FS-01
  run([&] {
    fs::create_directories(at("busy"));
    fs::create_directories(at("quiet"));
    write("quiet/doomed");
    std::size_t limit = 16384;
    std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> limit;
    if (limit > 100000) GTEST_SKIP() << "the system's queue is too long to be filled here";
    FsWatcher watcher(here(true));
    // The loop does not turn meanwhile: the queue runs over, and what follows is lost.
    for (std::size_t i = 0; i <= limit / 2; ++i) {
      fs::create_hard_link(at("quiet/doomed"), at("busy/link"));
      fs::remove(at("busy/link"));
    }
    write("quiet/lost");
    fs::remove(at("quiet/doomed"));
    fs::create_directories(at("late/below"));
    write("late/below/file");
    expect_told(watcher, {"quiet/lost", "quiet/doomed", "late", "late/below", "late/below/file"});
    write("late/below/again");
    expect_told(watcher, {"late/below/again"});
  });
}

TEST_F(FsWatchTest, ABurstIsHeldTogether) {
  // FS-02
  run([&] {
    FsWatchOptions options = here();
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

TEST_F(FsWatchTest, OnlyTheExtensionsAskedFor) {
  run([&] {
    FsWatchOptions options = here(true);
    options.extensions = {"cpp", ".hpp"};
    FsWatcher watcher(options);
    fs::create_directories(at("src.d"));
    for (const char* name : {"src.d/a.txt", "src.d/b.cpp", "src.d/cpp", "src.d/c.hpp", "src.d/d.xcpp"}) write(name);
    EXPECT_EQ(expect_told(watcher, {"src.d/b.cpp", "src.d/c.hpp"}), std::set<std::string>{});
  });
}

TEST_F(FsWatchTest, AFileIsWatchedAlsoWhenItIsReplaced) {
  run([&] {
    write("config");
    FsWatcher watcher({.path = at("config").string()});
    write("other");
    write("config");
    EXPECT_EQ(expect_told(watcher, {"config"}), std::set<std::string>{});
    for (int i = 0; i < 2; ++i) {
      write("config.new");
      fs::rename(at("config.new"), at("config"));
      EXPECT_EQ(expect_told(watcher, {"config"}), std::set<std::string>{});
    }
  });
}

TEST_F(FsWatchTest, CloseWakesWhoeverWaits) {
  // REA-02
  run([&] {
    FsWatcher watcher(here());
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

TEST_F(FsWatchTest, MayBeDestroyedUnderItsWaiter) {
  // R2
  run([&] {
    auto watcher = std::make_unique<FsWatcher>(here());
    auto waiting = spawn([&] { return watcher->next(kNever).has_value(); });
    yield();
    watcher.reset();
    EXPECT_FALSE(await(waiting));
  });
}

TEST_F(FsWatchTest, TimeoutsAndCancellationsLoseNothing) {
  run([&] {
    FsWatcher watcher(here());
    EXPECT_THROW(watcher.next(1ms), TimeoutError);
    auto waiting = spawn([&] { watcher.next(); });
    yield();
    write("a");
    waiting.cancel();
    EXPECT_THROW(await(waiting), Cancelled);
    expect_told(watcher, {"a"});
  });
}

TEST_F(FsWatchTest, EndsWithItsDirectory) {
  run([&] {
    fs::create_directory(at("sub"));
    FsWatcher watcher({.path = at("sub").string()});
    fs::remove(at("sub"));
    const auto event = watcher.next(kNever);
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->filename, "");
    EXPECT_TRUE(event->renamed);
    EXPECT_FALSE(watcher.next(kNever).has_value());
  });
}

TEST_F(FsWatchTest, WhatCantBeWatchedIsAnError) {
  run([&] {
    EXPECT_EQ(text_of_thrown<IoError>([] { FsWatcher({.path = "/no/such/place"}); }),
              "watch /no/such/place: No such file or directory");
    EXPECT_THROW(FsWatcher({}), MisuseError);
  });
}

TEST_F(FsWatchTest, WithoutAWaiterItKeepsNothingAlive) {
  // EVT-05
  std::optional<FsWatcher> kept;
  run_leaving(2, [&] { kept.emplace(here()); });  // returns although the watcher lives on, and outlives its runtime
  write("a");
  EXPECT_FALSE(kept->try_next());
}

TEST_F(FsWatchTest, AnEventAmongOthers) {
  // REA-02
  run([&] {
    FsWatcher watcher(here());
    Timeout never(kNever);
    write("a");
    Event* events[] = {&never.event(), &watcher.event()};
    EXPECT_EQ(wait_any(events), 1u);
    EXPECT_EQ(watcher.try_next()->filename, "a");
  });
}

}  // namespace
}  // namespace trueasync::test
