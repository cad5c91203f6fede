#define _GNU_SOURCE
#include "stack_table.h"

#include <link.h>
#include <unwind.h>

typedef struct {
  UnwoundStack *stack;
  /// The number of the profiler's own frames that still have to be skipped.
  int own_frames;
  uintptr_t from;
  uintptr_t base;
} Walk;

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *argument) {
  Walk *walk = argument;
  int is_exact = 0;
  uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
  if (address == 0) return _URC_END_OF_STACK;
  if (walk->from != 0) {
    if (address != walk->from) return _URC_NO_REASON;
    walk->from = 0;
  } else if (walk->own_frames > 0) {
    walk->own_frames -= 1;
    return _URC_NO_REASON;
  }
  if (walk->base != 0 && _Unwind_GetCFA(context) >= walk->base) {
    walk->stack->is_incomplete = false;
    return _URC_END_OF_STACK;
  }
  if (walk->stack->depth == stack_capacity) return _URC_END_OF_STACK;
  walk->stack->addresses[walk->stack->depth++] = is_exact ? address : address - 1;
  return _URC_NO_REASON;
}

void stack_unwind(UnwoundStack *stack, uintptr_t from, uintptr_t base) {
  stack->depth = 0;
  stack->is_incomplete = base != 0;
  Walk walk = {.stack = stack, .own_frames = from == 0 ? 2 : 0, .from = from, .base = base};
  _Unwind_Backtrace(visit, &walk);
}

typedef struct {
  uintptr_t address;
  const char *path;
  uintptr_t file_address;
} Search;

static int search_module(struct dl_phdr_info *info, size_t size, void *argument) {
  Search *search = argument;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD) continue;
    uintptr_t start = info->dlpi_addr + segment->p_vaddr;
    if (search->address - start >= segment->p_memsz) continue;
    search->path = info->dlpi_name;
    search->file_address = search->address - info->dlpi_addr;
    return 1;
  }
  return 0;
}

bool stack_profiler_find_module(uintptr_t address, const char **path, uintptr_t *file_address) {
  Search search = {.address = address};
  if (dl_iterate_phdr(search_module, &search) == 0) return false;
  *path = search.path;
  *file_address = search.file_address;
  return true;
}
