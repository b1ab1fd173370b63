// FsTree: the directories below a watched path, each with a watch and a snapshot of its entries.
//
// The system reports changes of one level, and only of entries that appear after the watch was added. Therefore a new
// directory is watched first, then listed, and every entry is reported. After an overflow of the system's queue every
// directory is listed again and compared with its snapshot.
// Invariant: directories_ and by_path_ contain the same directories.
//
// Thread safety: the runtime's thread.
// Errors: open() and handle_all() throw IoError if a directory cannot be watched.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <map>
#include <string>
#include <unordered_map>

#include "reactor/fs_watch_event.hpp"

namespace trueasync::detail {

// FsChange: as in libuv, `renamed` means that an entry was created, deleted or renamed.
enum class FsChange : std::uint8_t { renamed, changed };

class FsTree {
 public:
  // `name` is relative to the watched path; empty: the path itself was removed.
  using ChangeCallback = std::function<void(std::string name, FsChange change)>;

  FsTree(Ref<FsWatchEvent> source, std::string path, bool recursive, ChangeCallback on_change);

  void open();
  // Handles all pending changes of the source. Returns false if the watched path was removed.
  bool handle_all();
  std::size_t directory_count() const noexcept { return directories_.size(); }

 private:
  // Identifies an entry and its version.
  struct Entry {
    ino_t inode = 0;
    off_t size = 0;
    timespec changed = {};  // the inode's change time: content or attributes
    bool is_directory = false;

    bool is_same(const Entry& other) const noexcept {
      return inode == other.inode && size == other.size && changed.tv_sec == other.changed.tv_sec &&
             changed.tv_nsec == other.changed.tv_nsec;
    }
  };
  using Entries = std::map<std::string, Entry, std::less<>>;
  struct Directory {
    std::string name;  // relative to the watched path; empty: the path itself
    Entries entries;
  };
  enum class Report : std::uint8_t { no, yes };

  bool handle(const RawFsChange& change);
  void on_entry_added(Directory& directory, std::string_view name);
  void on_entry_removed(Directory& directory, std::string_view name);
  void add_subtree(std::string name, Report report);
  Directory* add_directory(const std::string& name);
  void remove_subtree(const std::string& name);
  void rescan(Directory& directory);
  void rescan_all();

  std::string full_path(const std::string& name) const;
  static std::string join(const std::string& directory, std::string_view name);
  bool stat_entry(const std::string& name, Entry& entry) const;
  Entries list(const std::string& directory) const;
  bool is_watched(std::string_view name) const noexcept { return single_file_.empty() || name == single_file_; }

  Ref<FsWatchEvent> source_;
  std::string root_;
  std::string single_file_;  // the file, if a single file is watched; root_ is its directory
  bool recursive_;
  ChangeCallback on_change_;
  std::unordered_map<int, Directory> directories_;
  std::map<std::string, int> by_path_;
};

}  // namespace trueasync::detail
