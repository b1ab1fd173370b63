// What is below a watched path: a watch per directory, and a snapshot of each, so that nothing is missed (FS-01).
//
// The system tells of one level, and of entries that appear after the watch was set. So a new directory is first watched,
// then listed, and what is in it is told; changes that the system could not hold are found by listing everything again
// and comparing. Invariant: directories_ and by_path_ hold the same directories.
// Threads: the runtime's. Errors: open() and handle() throw IoError when a directory can't be watched.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <map>
#include <string>
#include <unordered_map>

#include "reactor/fs_watch_event.hpp"

namespace trueasync::detail {

enum class FsChange : std::uint8_t { renamed, changed };

class FsTree {
 public:
  // `tell` gets the name from the watched path on; empty: the path itself has gone.
  using ChangeCallback = std::function<void(std::string name, FsChange change)>;

  FsTree(Ref<FsWatchEvent> source, std::string path, bool recursive, ChangeCallback tell);

  void open();
  // Takes what the source has. False when the watched path has gone.
  bool handle_all();
  std::size_t directory_count() const noexcept { return directories_.size(); }

 private:
  // What tells an entry from another one of its name.
  struct Entry {
    ino_t number = 0;
    off_t size = 0;
    timespec changed = {};  // the inode's change time: content or attributes
    bool is_directory = false;

    bool is_same(const Entry& other) const noexcept {
      return number == other.number && size == other.size && changed.tv_sec == other.changed.tv_sec &&
             changed.tv_nsec == other.changed.tv_nsec;
    }
  };
  using Entries = std::map<std::string, Entry, std::less<>>;
  struct Directory {
    std::string name;  // from the watched path on; empty: that itself
    Entries entries;
  };
  enum class Announce : std::uint8_t { no, yes };

  bool handle(const RawFsChange& change);
  void on_appeared(Directory& directory, std::string_view name);
  void on_disappeared(Directory& directory, std::string_view name);
  void add_below(std::string name, Announce announce);
  Directory* add_one(const std::string& name);
  void remove_below(const std::string& name);
  void compare(Directory& directory);
  void compare_all();

  std::string full_path(const std::string& name) const;
  static std::string join(const std::string& directory, std::string_view name);
  bool stat_entry(const std::string& name, Entry& entry) const;
  Entries list(const std::string& directory) const;
  bool is_wanted(std::string_view name) const noexcept { return only_.empty() || name == only_; }

  Ref<FsWatchEvent> source_;
  std::string root_;
  std::string only_;  // the one file that is watched; its directory is root_
  bool recursive_;
  ChangeCallback on_change_;
  std::unordered_map<int, Directory> directories_;
  std::map<std::string, int> by_path_;
};

}  // namespace trueasync::detail
