#define _GNU_SOURCE
#include "stack_table.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

// The table gets its memory directly from the system, because an observer of the allocator must not allocate. A page
// uses physical memory only after it is first written.

enum { slot_count = 1 << 18, address_limit = 1 << 23 };

typedef struct {
  uint64_t hash;
  size_t first_address;
  ProfiledStack stack;
  uint32_t counted_frame;
  uint64_t in_frame;
} Entry;

static struct {
  Entry *entries;
  /// The hash table. A slot contains an index into `entries` plus 1, or 0 if it is free.
  uint32_t *slots;
  uintptr_t *addresses;
  size_t entry_count;
  size_t address_count;
  uint64_t seen;
  uint64_t lost;
} table;

static atomic_flag lock = ATOMIC_FLAG_INIT;

static void take_lock(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
  }
}

static void give_lock(void) { atomic_flag_clear_explicit(&lock, memory_order_release); }

static void *pages(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static void give_back(void *memory, size_t bytes) {
  if (memory != NULL) munmap(memory, bytes);
}

bool stack_profiler_start(void) {
  if (table.entries != NULL) return false;
  memset(&table, 0, sizeof table);
  table.entries = pages(stack_limit * sizeof(Entry));
  table.slots = pages(slot_count * sizeof(uint32_t));
  table.addresses = pages(address_limit * sizeof(uintptr_t));
  if (table.entries == NULL || table.slots == NULL || table.addresses == NULL) {
    stack_profiler_stop();
    return false;
  }
  return true;
}

void stack_profiler_stop(void) {
  // Another thread may still be adding the last allocation that it saw.
  take_lock();
  give_back(table.entries, stack_limit * sizeof(Entry));
  give_back(table.slots, slot_count * sizeof(uint32_t));
  give_back(table.addresses, address_limit * sizeof(uintptr_t));
  memset(&table, 0, sizeof table);
  give_lock();
}

static uint64_t hash_of(const UnwoundStack *stack, int32_t phase, bool is_other_thread) {
  uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)(uint32_t)phase << 1 ^ is_other_thread;
  for (uint32_t index = 0; index < stack->depth; index++) {
    hash = (hash ^ stack->addresses[index]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

static bool is_same(
    const Entry *entry, const UnwoundStack *stack, int32_t phase, bool is_other_thread) {
  const ProfiledStack *known = &entry->stack;
  return known->depth == stack->depth && known->phase == phase
      && known->is_other_thread == is_other_thread && known->is_incomplete == stack->is_incomplete
      && memcmp(
             table.addresses + entry->first_address, stack->addresses, stack->depth * sizeof(uintptr_t))
      == 0;
}

/// Returns the entry of a stack. Null if there is no memory left for a new entry.
static Entry *find_or_insert(const UnwoundStack *stack, int32_t phase, bool is_other_thread) {
  uint64_t hash = hash_of(stack, phase, is_other_thread);
  size_t slot = hash % slot_count;
  for (; table.slots[slot] != 0; slot = (slot + 1) % slot_count) {
    Entry *entry = &table.entries[table.slots[slot] - 1];
    if (entry->hash == hash && is_same(entry, stack, phase, is_other_thread)) return entry;
  }
  if (table.entry_count == stack_limit || table.address_count + stack->depth > address_limit) return NULL;
  Entry *entry = &table.entries[table.entry_count++];
  table.slots[slot] = (uint32_t)table.entry_count;
  entry->hash = hash;
  entry->first_address = table.address_count;
  memcpy(table.addresses + table.address_count, stack->addresses, stack->depth * sizeof(uintptr_t));
  table.address_count += stack->depth;
  entry->stack = (ProfiledStack){
      .depth = stack->depth,
      .phase = phase,
      .is_other_thread = is_other_thread,
      .is_incomplete = stack->is_incomplete,
  };
  return entry;
}

void stack_table_add(
    const UnwoundStack *stack, int32_t phase, uint32_t frame, uint64_t bytes, bool is_other_thread) {
  take_lock();
  table.seen += 1;
  Entry *entry = table.entries == NULL ? NULL : find_or_insert(stack, phase, is_other_thread);
  if (entry == NULL) {
    table.lost += 1;
  } else {
    if (entry->stack.count == 0 || entry->counted_frame != frame) {
      if (entry->stack.count == 0) entry->stack.first_frame = frame;
      entry->stack.frame_count += 1;
      entry->counted_frame = frame;
      entry->in_frame = 0;
    }
    entry->in_frame += 1;
    if (entry->in_frame > entry->stack.most_in_frame) entry->stack.most_in_frame = entry->in_frame;
    entry->stack.last_frame = frame;
    entry->stack.count += 1;
    entry->stack.bytes += bytes;
  }
  give_lock();
}

uint64_t stack_profiler_seen_count(void) { return table.seen; }
uint64_t stack_profiler_lost_count(void) { return table.lost; }
size_t stack_profiler_stack_count(void) { return table.entry_count; }

ProfiledStack stack_profiler_stack(size_t index) {
  ProfiledStack stack = table.entries[index].stack;
  stack.addresses = table.addresses + table.entries[index].first_address;
  return stack;
}
