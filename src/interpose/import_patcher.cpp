#include "interpose/import_patcher.hpp"

#include <link.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "interpose/call_context.hpp"
#include "interpose/call_table.hpp"
#include "interpose/import_tables.hpp"
#include "trueasync/blocking.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail::interpose {

namespace {

// What the calls are made of, and what looks at every call from outside.
constexpr std::string_view kNever[] = {"libc.so",  "libc-",   "ld-",     "ld.so",        "libpthread", "libdl.so",
                                       "librt.so", "librt-",  "libuv",   "libresolv",    "libnss_",    "libanl",
                                       "libasan",  "libtsan", "liblsan", "libubsan",     "vgpreload",  "linux-vdso",
                                       "libgcc_s", "libm.so", "libm-",   "libtrueasync", "true_async"};

struct State {
  std::mutex mutex;
  bool is_enabled = false;
  bool is_everything = false;
  std::vector<std::string> words;
  std::vector<std::string> excluded;
  std::unordered_map<void**, void*> originals;  // by slot; slots of objects that are gone mean nothing
  unsigned long long seen_loads = 0;
};

// Never destroyed: calls come until the very end of the process.
State& state() {
  static State* const only = new State;
  return *only;
}

bool is_ours(const dl_phdr_info& object) noexcept {
  return contains(object, reinterpret_cast<const void*>(&replacement_of));
}

bool is_chosen(const State& of, const dl_phdr_info& object) noexcept {
  const std::string_view name = name_of(object);
  const auto begins_name = [&](std::string_view word) { return name.starts_with(word); };
  const auto is_in_name = [&](std::string_view word) { return name.find(word) != name.npos; };
  if (is_ours(object) || std::any_of(std::begin(kNever), std::end(kNever), begins_name)) return false;
  if (std::any_of(of.excluded.begin(), of.excluded.end(), is_in_name)) return false;
  return of.is_everything || std::any_of(of.words.begin(), of.words.end(), is_in_name);
}

// Counts the imports that are, or are not yet, replaced.
class Counting final : public ImportVisitor {
 public:
  void on_import(const char* name, void** slot) noexcept override {
    void* replacement = replacement_of(name);
    if (replacement) ++(*slot == replacement ? replaced : left);
  }
  std::size_t replaced = 0;
  std::size_t left = 0;
};

Counting count_imports(const dl_phdr_info& object) noexcept {
  Counting counting;
  visit_imports(object, Slots::as_they_are, counting);
  return counting;
}

// Other threads may call through the slot meanwhile.
void set_slot(void** slot, void* function) noexcept { __atomic_store_n(slot, function, __ATOMIC_RELEASE); }

class Replacing final : public ImportVisitor {
 public:
  explicit Replacing(State& of) noexcept : state_(of) {}
  void on_import(const char* name, void** slot) noexcept override {
    void* replacement = replacement_of(name);
    if (!replacement || *slot == replacement) return;
    try {
      state_.originals[slot] = *slot;
      set_slot(slot, replacement);
    } catch (...) {
    }
  }

 private:
  State& state_;
};

class Restoring final : public ImportVisitor {
 public:
  explicit Restoring(State& of) noexcept : state_(of) {}
  void on_import(const char* name, void** slot) noexcept override {
    void* replacement = replacement_of(name);
    if (!replacement || *slot != replacement) return;
    if (auto found = state_.originals.find(slot); found != state_.originals.end()) set_slot(slot, found->second);
  }

 private:
  State& state_;
};

template <class F>
void each_object(F visit) noexcept {
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* argument) {
        (*static_cast<F*>(argument))(*object);
        return 0;
      },
      &visit);
}

unsigned long long loads_so_far() noexcept {
  unsigned long long loads = 0;
  each_object([&](const dl_phdr_info& object) { loads = object.dlpi_adds; });
  return loads;
}

// Under the lock.
bool replace_all(State& in) noexcept {
  bool any = false;
  each_object([&](const dl_phdr_info& object) {
    in.seen_loads = object.dlpi_adds;
    if (!is_chosen(in, object) || count_imports(object).left == 0) return;
    Replacing replacing(in);
    visit_imports(object, Slots::writable, replacing);
    any = true;
  });
  return any;
}

std::string_view find_unavailable_reason() noexcept {
  if (!is_known_cpu()) return "the import tables of this CPU's programs are not known";
  std::size_t objects = 0;
  each_object([&](const dl_phdr_info& object) {
    if (!name_of(object).starts_with("linux-vdso")) ++objects;
  });
  return objects < 2 ? "the program is linked statically and has no import tables" : "";
}

// The object that holds this code may be unloaded: no slot may point here then.
struct AtUnload {
  ~AtUnload() { blocking::disable(); }
};

template <class Choose>
void enable_with(Choose&& choose) {
  if (!blocking::is_available()) {
    throw Error("blocking calls can't be replaced: " + std::string(blocking::unavailable_reason()));
  }
  install_fork_handler();
  static const AtUnload at_unload;
  State& all = state();
  const std::lock_guard lock(all.mutex);
  choose(all);
  all.is_enabled = true;
  replace_all(all);
}

}  // namespace

bool patch_new_objects() noexcept {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  new_objects.store(false, std::memory_order_relaxed);
  if (!all.is_enabled || loads_so_far() == all.seen_loads) return false;
  return replace_all(all);
}

}  // namespace trueasync::detail::interpose

namespace trueasync::blocking {

using namespace detail::interpose;

std::string_view unavailable_reason() noexcept {
  static const std::string_view obstacle = find_unavailable_reason();
  return obstacle;
}

void enable() {
  enable_with([](State& all) { all.is_everything = true; });
}

void enable(std::initializer_list<std::string_view> words) {
  enable_with([&](State& all) { all.words.insert(all.words.end(), words.begin(), words.end()); });
}

void exclude(std::initializer_list<std::string_view> words) {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  all.excluded.insert(all.excluded.end(), words.begin(), words.end());
}

void disable() noexcept {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  each_object([&](const dl_phdr_info& object) {
    if (is_ours(object) || count_imports(object).replaced == 0) return;
    Restoring restoring(all);
    visit_imports(object, Slots::writable, restoring);
  });
  all.originals.clear();
  all.words.clear();
  all.excluded.clear();
  all.is_enabled = all.is_everything = false;
}

bool is_enabled() noexcept {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  return all.is_enabled;
}

bool refresh() noexcept { return patch_new_objects(); }

ReplacedImports replaced_imports() {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  ReplacedImports result;
  std::exception_ptr error;
  each_object([&](const dl_phdr_info& object) {
    const std::size_t count = count_imports(object).replaced;
    if (count == 0 || is_ours(object)) return;
    result.imports += count;
    try {
      result.objects.emplace_back(name_of(object));
    } catch (...) {
      error = std::current_exception();
    }
  });
  if (error) std::rethrow_exception(error);
  return result;
}

}  // namespace trueasync::blocking
