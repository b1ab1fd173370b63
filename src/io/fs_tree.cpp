#include "io/fs_tree.hpp"

#include <dirent.h>

#include <cerrno>
#include <memory>
#include <vector>

#include "trueasync/io/error.hpp"

namespace trueasync::detail {

FsTree::FsTree(Ref<FsWatchEvent> source, std::string path, bool recursive, ChangeCallback on_change)
    : source_(std::move(source)), root_(std::move(path)), recursive_(recursive), on_change_(std::move(on_change)) {}

std::string FsTree::join(const std::string& directory, std::string_view name) {
  return directory.empty() ? std::string(name) : directory + "/" + std::string(name);
}

std::string FsTree::full_path(const std::string& name) const { return name.empty() ? root_ : root_ + "/" + name; }

bool FsTree::stat_entry(const std::string& name, Entry& entry) const {
  struct stat info = {};
  if (::lstat(full_path(name).c_str(), &info) != 0) return false;
  entry = {info.st_ino, info.st_size, info.st_ctim, S_ISDIR(info.st_mode)};
  return true;
}

FsTree::Entries FsTree::list(const std::string& directory) const {
  Entries entries;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(full_path(directory).c_str()), &::closedir);
  if (!stream) return entries;  // already removed; its parent reports it
  while (const dirent* found = ::readdir(stream.get())) {
    const std::string_view name = found->d_name;
    Entry entry;
    if (name == "." || name == ".." || !is_watched(name) || !stat_entry(join(directory, name), entry)) continue;
    entries.emplace(name, entry);
  }
  return entries;
}

void FsTree::open() {
  struct stat info = {};
  if (::stat(root_.c_str(), &info) != 0) throw IoError("watch " + root_, errno);
  if (!S_ISDIR(info.st_mode)) {
    // Watches the directory of the file, so that the watch survives a replacement of the file.
    const std::size_t slash = root_.rfind('/');
    single_file_ = slash == std::string::npos ? root_ : root_.substr(slash + 1);
    root_ = slash == std::string::npos ? "." : slash == 0 ? "/" : root_.substr(0, slash);
    recursive_ = false;
  }
  add_subtree("", Report::no);
  if (directories_.empty()) throw IoError("watch " + root_, ENOENT);
}

// Returns null if the directory cannot be watched because it was removed or is not accessible.
FsTree::Directory* FsTree::add_directory(const std::string& name) {
  const int watch = source_->add(full_path(name));
  if (watch == -ENOENT || watch == -ENOTDIR || watch == -EACCES) {
    if (name.empty()) throw IoError("watch " + root_, -watch);
    return nullptr;
  }
  if (watch == -ENOSPC) {
    throw IoError("watch " + full_path(name), ENOSPC,
                  "the limit fs.inotify.max_user_watches is reached; raise it with sysctl");
  }
  if (watch == -EMFILE) {
    throw IoError("watch " + full_path(name), EMFILE,
                  "no free descriptor, or the limit fs.inotify.max_user_instances is reached");
  }
  if (watch < 0) throw IoError("watch " + full_path(name), -watch);
  Directory& directory = directories_[watch];
  if (!directory.name.empty()) by_path_.erase(directory.name);  // the same directory under its previous name
  directory.name = name;
  directory.entries.clear();
  by_path_[name] = watch;
  return &directory;
}

// Adds the watch before it lists the directory, so that no entry is missed. The kernel also reports an entry that
// appears in between; on_entry_added() ignores that report. A loop, because the tree may be too deep for recursion.
void FsTree::add_subtree(std::string name, Report report) {
  std::vector<std::string> todo{std::move(name)};
  while (!todo.empty()) {
    const std::string current = std::move(todo.back());
    todo.pop_back();
    Directory* directory = add_directory(current);
    if (!directory) continue;
    directory->entries = list(current);
    for (const auto& [entry_name, entry] : directory->entries) {
      if (report == Report::yes) on_change_(join(current, entry_name), FsChange::renamed);
      if (recursive_ && entry.is_directory) todo.push_back(join(current, entry_name));
    }
  }
}

// Removes the watches of a directory that was moved or deleted, and reports each of its entries.
void FsTree::remove_subtree(const std::string& name) {
  const std::string prefix = name + "/";
  for (auto next = by_path_.lower_bound(name); next != by_path_.end();) {
    const auto known = next++;
    if (known->first != name && !known->first.starts_with(prefix)) {
      if (known->first > prefix) break;
      continue;  // "name-other" sorts between "name" and "name/"
    }
    const int watch = known->second;
    auto directory = directories_.extract(watch);
    by_path_.erase(known);
    source_->remove(watch);
    for (const auto& [entry_name, entry] : directory.mapped().entries) {
      on_change_(join(directory.mapped().name, entry_name), FsChange::renamed);
    }
  }
}

void FsTree::on_entry_added(Directory& directory, std::string_view name) {
  const std::string path = join(directory.name, name);
  Entry entry;
  if (!stat_entry(path, entry)) {
    on_change_(path, FsChange::renamed);  // already removed again
    return;
  }
  auto known = directory.entries.find(name);
  const bool was_known = known != directory.entries.end();
  // Already reported when the directory was listed. Later changes are reported as such.
  if (was_known && known->second.inode == entry.inode) return;
  if (was_known && known->second.is_directory) remove_subtree(path);
  directory.entries.insert_or_assign(std::string(name), entry);
  on_change_(path, FsChange::renamed);
  if (recursive_ && entry.is_directory) add_subtree(path, Report::yes);
}

void FsTree::on_entry_removed(Directory& directory, std::string_view name) {
  const std::string path = join(directory.name, name);
  const auto known = directory.entries.find(name);
  const bool was_directory = known != directory.entries.end() && known->second.is_directory;
  if (known != directory.entries.end()) directory.entries.erase(known);
  on_change_(path, FsChange::renamed);
  if (recursive_ && was_directory) remove_subtree(path);
}

// Lists a directory again and reports the differences.
void FsTree::rescan(Directory& directory) {
  const std::string directory_name = directory.name;
  const Entries before = std::move(directory.entries);
  const Entries now = list(directory_name);
  directory.entries = now;
  // Adding and removing directories invalidates `directory`: it must not be used from here on.
  for (const auto& [name, entry] : before) {
    const auto found = now.find(name);
    const std::string path = join(directory_name, name);
    if (found != now.end() && found->second.inode == entry.inode) {
      if (!found->second.is_same(entry)) on_change_(path, FsChange::changed);
      continue;
    }
    on_change_(path, FsChange::renamed);
    if (recursive_ && entry.is_directory) remove_subtree(path);
  }
  for (const auto& [name, entry] : now) {
    const auto found = before.find(name);
    if (found != before.end() && found->second.inode == entry.inode) continue;
    const std::string path = join(directory_name, name);
    if (found == before.end()) on_change_(path, FsChange::renamed);
    if (recursive_ && entry.is_directory) add_subtree(path, Report::yes);
  }
}

void FsTree::rescan_all() {
  std::vector<std::string> names;
  for (const auto& [name, watch] : by_path_) names.push_back(name);
  for (const std::string& name : names) {
    const auto known = by_path_.find(name);  // the rescan of its parent may have removed it
    if (known != by_path_.end()) rescan(directories_.at(known->second));
  }
}

// Returns false if the watched path was removed.
bool FsTree::handle(const RawFsChange& change) {
  using Kind = RawFsChange::Kind;
  if (change.kind == Kind::overflow) {
    rescan_all();
    return true;
  }
  const auto known = directories_.find(change.watch);
  if (known == directories_.end()) return true;  // the directory was removed before
  Directory& directory = known->second;
  const bool is_root = directory.name.empty();
  if (change.kind == Kind::self_removed) return !is_root;  // its parent reports a removed subdirectory
  if (change.kind == Kind::watch_removed) {
    by_path_.erase(directory.name);
    directories_.erase(known);
    return !is_root;
  }
  if (!is_watched(change.name) || change.name.empty()) return true;
  if (change.kind == Kind::appeared) {
    on_entry_added(directory, change.name);
  } else if (change.kind == Kind::disappeared) {
    on_entry_removed(directory, change.name);
  } else {
    const std::string path = join(directory.name, change.name);
    Entry entry;
    if (stat_entry(path, entry)) directory.entries.insert_or_assign(std::string(change.name), entry);
    on_change_(path, FsChange::changed);
  }
  return true;
}

bool FsTree::handle_all() {
  bool root_exists = true;
  RawFsChange change;
  while (source_->next(change)) {
    if (!root_exists || handle(change)) continue;
    root_exists = false;
    on_change_("", FsChange::renamed);
  }
  return root_exists;
}

}  // namespace trueasync::detail
