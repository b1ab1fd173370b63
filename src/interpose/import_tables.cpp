#include "interpose/import_tables.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <cerrno>

#include <cstdint>
#include <cstring>

namespace trueasync::detail::interpose {

namespace {

// The relocation types of PLT slots and of GOT slots. In both the loader stores the plain function address.
#if defined(__x86_64__)
constexpr bool kSupportedCpu = true;
bool is_import(std::uint64_t type) noexcept { return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT; }
#elif defined(__aarch64__)
constexpr bool kSupportedCpu = true;
bool is_import(std::uint64_t type) noexcept { return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT; }
#else
constexpr bool kSupportedCpu = false;
bool is_import(std::uint64_t) noexcept { return false; }
#endif

struct Tables {
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  const ElfW(Rela) * calls = nullptr;
  std::size_t calls_size = 0;
  const ElfW(Rela) * others = nullptr;
  std::size_t others_size = 0;
  bool has_rela_calls = false;
};

const ElfW(Phdr) * find_header(const dl_phdr_info& object, std::uint32_t type) noexcept {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type == type) return &object.dlpi_phdr[i];
  }
  return nullptr;
}

// The loader relocates the addresses in the dynamic section of most objects, but not of all.
template <class T>
const T* to_absolute(const dl_phdr_info& object, ElfW(Addr) address) noexcept {
  return reinterpret_cast<const T*>(address < object.dlpi_addr ? address + object.dlpi_addr : address);
}

Tables find_tables(const dl_phdr_info& object) noexcept {
  Tables tables;
  const auto* header = find_header(object, PT_DYNAMIC);
  if (!header) return tables;
  const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + header->p_vaddr);
  for (; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SYMTAB:
        tables.symbols = to_absolute<ElfW(Sym)>(object, entry->d_un.d_ptr);
        break;
      case DT_STRTAB:
        tables.strings = to_absolute<char>(object, entry->d_un.d_ptr);
        break;
      case DT_JMPREL:
        tables.calls = to_absolute<ElfW(Rela)>(object, entry->d_un.d_ptr);
        break;
      case DT_PLTRELSZ:
        tables.calls_size = entry->d_un.d_val;
        break;
      case DT_PLTREL:
        tables.has_rela_calls = entry->d_un.d_val == DT_RELA;
        break;
      case DT_RELA:
        tables.others = to_absolute<ElfW(Rela)>(object, entry->d_un.d_ptr);
        break;
      case DT_RELASZ:
        tables.others_size = entry->d_un.d_val;
        break;
      default:
        break;
    }
  }
  return tables;
}

void visit_table(const dl_phdr_info& object, const Tables& tables, const ElfW(Rela) * begin, std::size_t bytes,
                 ImportVisitor& visitor) noexcept {
  if (!begin || !tables.symbols || !tables.strings) return;
  for (const auto* relocation = begin; relocation != begin + bytes / sizeof *relocation; ++relocation) {
    if (!is_import(ELF64_R_TYPE(relocation->r_info))) continue;
    const ElfW(Sym)& symbol = tables.symbols[ELF64_R_SYM(relocation->r_info)];
    // A function defined by the object itself is not a C library function, even if it has the same name.
    if (symbol.st_shndx != SHN_UNDEF) continue;
    visitor.on_import(tables.strings + symbol.st_name,
                      reinterpret_cast<void**>(object.dlpi_addr + relocation->r_offset));
  }
}

// Makes the RELRO pages of an object writable. The loader made them read-only after relocation.
class WritableRelro {
 public:
  WritableRelro(const dl_phdr_info& object, Slots slots) noexcept {
    const auto* header = find_header(object, PT_GNU_RELRO);
    if (!header || slots == Slots::read_only) return;
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const std::uintptr_t start = (object.dlpi_addr + header->p_vaddr) & ~(page - 1);
    const std::uintptr_t end = (object.dlpi_addr + header->p_vaddr + header->p_memsz) & ~(page - 1);
    if (end <= start) return;
    begin_ = reinterpret_cast<void*>(start);
    size_ = end - start;
    is_writable_ = ::mprotect(begin_, size_, PROT_READ | PROT_WRITE) == 0;
  }
  WritableRelro(const WritableRelro&) = delete;
  WritableRelro& operator=(const WritableRelro&) = delete;
  ~WritableRelro() {
    if (size_ != 0 && is_writable_) ::mprotect(begin_, size_, PROT_READ);
  }
  explicit operator bool() const noexcept { return is_writable_; }

 private:
  void* begin_ = nullptr;
  std::size_t size_ = 0;
  bool is_writable_ = true;
};

}  // namespace

bool is_supported_cpu() noexcept { return kSupportedCpu; }

std::string_view object_name(const dl_phdr_info& object) noexcept {
  const char* path = object.dlpi_name;
  if (!path || !*path) return program_invocation_short_name;
  const char* slash = std::strrchr(path, '/');
  return slash ? slash + 1 : path;
}

bool contains(const dl_phdr_info& object, const void* address) noexcept {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object.dlpi_phdr[i];
    const std::uintptr_t begin = object.dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && value >= begin && value < begin + header.p_memsz) return true;
  }
  return false;
}

void visit_imports(const dl_phdr_info& object, Slots slots, ImportVisitor& visitor) noexcept {
  const Tables tables = find_tables(object);
  const WritableRelro writable(object, slots);
  if (!writable) return;
  if (tables.has_rela_calls) visit_table(object, tables, tables.calls, tables.calls_size, visitor);
  visit_table(object, tables, tables.others, tables.others_size, visitor);
}

}  // namespace trueasync::detail::interpose
