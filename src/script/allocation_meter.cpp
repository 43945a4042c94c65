// SPDX-License-Identifier: Apache-2.0
#include "script/allocation_meter.hpp"

#include <elf.h>
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace pawl::script {
namespace {

constexpr std::size_t large_bytes = 64u << 10;         // what is smaller is never refused
constexpr std::int64_t check_every_bytes = 8ll << 20;  // at the latest

thread_local AllocationMeter* meter = nullptr;

bool may_take(std::size_t bytes) { return meter == nullptr || meter->may_take(bytes); }

void* counted(void* block) {
  if (meter != nullptr && block != nullptr) meter->taken(malloc_usable_size(block));
  return block;
}

// The functions that the engine's library calls in place of the C library's.

void* metered_malloc(std::size_t size) {
  return may_take(size) ? counted(std::malloc(size)) : nullptr;
}

void* metered_calloc(std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || !may_take(bytes)) return nullptr;
  return counted(std::calloc(count, size));
}

void* metered_realloc(void* block, std::size_t size) {
  if (!may_take(size)) return nullptr;
  const std::size_t before = meter != nullptr && block != nullptr ? malloc_usable_size(block) : 0;
  void* moved = std::realloc(block, size);
  if (meter != nullptr && moved != nullptr) meter->given_back(before);
  return counted(moved);
}

void metered_free(void* block) {
  if (meter != nullptr && block != nullptr) meter->given_back(malloc_usable_size(block));
  std::free(block);
}

int metered_posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  if (!may_take(size)) return ENOMEM;
  const int failed = ::posix_memalign(block, alignment, size);
  if (failed == 0) counted(*block);
  return failed;
}

struct Replacement {
  std::string_view name;
  void* function;
};

const Replacement replacements[] = {
    {"malloc", reinterpret_cast<void*>(&metered_malloc)},
    {"calloc", reinterpret_cast<void*>(&metered_calloc)},
    {"realloc", reinterpret_cast<void*>(&metered_realloc)},
    {"free", reinterpret_cast<void*>(&metered_free)},
    {"posix_memalign", reinterpret_cast<void*>(&metered_posix_memalign)},
};

#if defined(__x86_64__)
constexpr bool is_known_platform = true;
constexpr std::uint64_t data_relocation = R_X86_64_GLOB_DAT;
constexpr std::uint64_t call_relocation = R_X86_64_JUMP_SLOT;
#elif defined(__aarch64__)
constexpr bool is_known_platform = true;
constexpr std::uint64_t data_relocation = R_AARCH64_GLOB_DAT;
constexpr std::uint64_t call_relocation = R_AARCH64_JUMP_SLOT;
#else
constexpr bool is_known_platform = false;
constexpr std::uint64_t data_relocation = 0;
constexpr std::uint64_t call_relocation = 0;
#endif

// The parts of a loaded library that say where its imported functions are kept.
struct Imports {
  ElfW(Addr) base{0};
  const ElfW(Sym) * symbols{nullptr};
  const char* names{nullptr};
  const ElfW(Rela) * data{nullptr};
  std::size_t data_bytes{0};
  const ElfW(Rela) * calls{nullptr};
  std::size_t calls_bytes{0};
  ElfW(Addr) read_only_start{0};  // what the loader has locked after it was done
  ElfW(Addr) read_only_end{0};
};

template <class T>
const T* address_in(ElfW(Addr) base, ElfW(Addr) value) {
  // The loader has made most of these absolute; one that is not is relative to the library.
  return reinterpret_cast<const T*>(value < base ? base + value : value);
}

void read_dynamic_section(ElfW(Addr) base, const ElfW(Dyn) * entry, Imports& imports) {
  imports.base = base;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const ElfW(Addr) value = entry->d_un.d_ptr;
    switch (entry->d_tag) {
      case DT_SYMTAB:
        imports.symbols = address_in<ElfW(Sym)>(base, value);
        break;
      case DT_STRTAB:
        imports.names = address_in<char>(base, value);
        break;
      case DT_RELA:
        imports.data = address_in<ElfW(Rela)>(base, value);
        break;
      case DT_RELASZ:
        imports.data_bytes = entry->d_un.d_val;
        break;
      case DT_JMPREL:
        imports.calls = address_in<ElfW(Rela)>(base, value);
        break;
      case DT_PLTRELSZ:
        imports.calls_bytes = entry->d_un.d_val;
        break;
      default:
        break;
    }
  }
}

// A page that the loader has locked is unlocked for the moment.
bool overwrite(const Imports& imports, ElfW(Addr) slot, void* function) {
  const auto page_bytes = static_cast<ElfW(Addr)>(sysconf(_SC_PAGESIZE));
  void* page = reinterpret_cast<void*>(slot & ~(page_bytes - 1));
  if (mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0) return false;
  __atomic_store_n(reinterpret_cast<void**>(slot), function, __ATOMIC_RELEASE);
  if (slot >= imports.read_only_start && slot < imports.read_only_end) {
    mprotect(page, page_bytes, PROT_READ);
  }
  return true;
}

int replace_in(const Imports& imports, const ElfW(Rela) * table, std::size_t bytes) {
  int replaced = 0;
  for (std::size_t i = 0; table != nullptr && i < bytes / sizeof(ElfW(Rela)); ++i) {
    const std::uint64_t type = ELF64_R_TYPE(table[i].r_info);
    if (type != data_relocation && type != call_relocation) continue;
    const std::string_view name =
        imports.names + imports.symbols[ELF64_R_SYM(table[i].r_info)].st_name;
    for (const Replacement& replacement : replacements) {
      if (name != replacement.name) continue;
      if (overwrite(imports, imports.base + table[i].r_offset, replacement.function)) ++replaced;
    }
  }
  return replaced;
}

// A dl_iterate_phdr callback; `result` is the number of functions replaced.
int patch_if_engine(dl_phdr_info* library, std::size_t, void* result) {
  if (std::string_view(library->dlpi_name).find("libmozjs-") == std::string_view::npos) return 0;
  Imports imports;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = library->dlpi_phdr[i];
    const ElfW(Addr) start = library->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_DYNAMIC) {
      read_dynamic_section(library->dlpi_addr, reinterpret_cast<const ElfW(Dyn)*>(start), imports);
    } else if (header.p_type == PT_GNU_RELRO) {
      imports.read_only_start = start;
      imports.read_only_end = start + header.p_memsz;
    }
  }
  if (imports.symbols == nullptr || imports.names == nullptr) return 1;
  *static_cast<int*>(result) = replace_in(imports, imports.data, imports.data_bytes) +
                               replace_in(imports, imports.calls, imports.calls_bytes);
  return 1;
}

}  // namespace

bool install_allocation_meter() {
  if (!is_known_platform) return false;
  int replaced = 0;
  dl_iterate_phdr(patch_if_engine, &replaced);
  return replaced > 0;
}

AllocationMeter::AllocationMeter(std::int64_t limit, void (*alarm)(void*), void* subject)
    : limit_(limit), next_check_(check_every_bytes), alarm_(alarm), subject_(subject) {
  meter = this;
}

AllocationMeter::~AllocationMeter() { meter = nullptr; }

void AllocationMeter::correct(std::int64_t really_used) {
  used_ = really_used;
  next_check_ = used_ + check_every_bytes;
}

bool AllocationMeter::may_take(std::size_t bytes) {
  if (collecting_ || bytes < large_bytes) return true;
  if (bytes <= static_cast<std::size_t>(limit_) &&
      used_ + static_cast<std::int64_t>(bytes) <= limit_) {
    return true;
  }
  refused_ = true;
  alarm_(subject_);
  return false;
}

void AllocationMeter::taken(std::size_t bytes) {
  used_ += static_cast<std::int64_t>(bytes);
  if (used_ > next_check_ && !collecting_) alarm_(subject_);
}

}  // namespace pawl::script
