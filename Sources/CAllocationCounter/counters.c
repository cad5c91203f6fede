#include "counting.h"

#ifndef SPRINGBENCH_SYSTEM_ALLOCATOR

#include <errno.h>
#include <pthread.h>

// Each thread counts in a `CounterLine` of its own, taken from this pool. The pool is static, because memory for
// counters cannot come from the allocator whose calls they count.
enum { line_capacity = 256 };
static CounterLine lines[line_capacity];
/// The number of lines from the start of the pool up to the last one that was ever used.
static _Atomic size_t used_line_count;

/// Totals of the threads without their own line. Several threads add to them, so the additions are atomic.
static CounterLine shared_line;

static pthread_key_t thread_end_key;
static _Atomic bool has_thread_end_key;

_Thread_local CounterThread counter_thread;

static AllocationTotals totals_of_line(CounterLine *line) {
  return (AllocationTotals){
      .count = atomic_load_explicit(&line->count, memory_order_relaxed),
      .bytes = atomic_load_explicit(&line->bytes, memory_order_relaxed),
  };
}

static AllocationTotals totals_since_taken(CounterLine *line) {
  AllocationTotals totals = totals_of_line(line);
  totals.count -= line->inherited.count;
  totals.bytes -= line->inherited.bytes;
  return totals;
}

static void add(AllocationTotals *sum, AllocationTotals more) {
  sum->count += more.count;
  sum->bytes += more.bytes;
}

/// Takes a free line. Returns null if every line is taken.
static CounterLine *take_line(void) {
  for (size_t index = 0; index < line_capacity; index++) {
    CounterLine *line = &lines[index];
    if (atomic_load_explicit(&line->is_taken, memory_order_relaxed)) continue;
    // Acquires the values that the line's last thread wrote before it returned the line.
    if (atomic_exchange_explicit(&line->is_taken, true, memory_order_acquire)) continue;
    line->inherited = totals_of_line(line);
    size_t used = atomic_load(&used_line_count);
    while (used <= index && !atomic_compare_exchange_weak(&used_line_count, &used, index + 1)) {
    }
    return line;
  }
  return NULL;
}

/// Runs when a thread ends. The thread's other destructors may run later and still allocate. The shared line counts
/// their allocations.
static void give_line_back(void *argument) {
  CounterLine *line = argument;
  add(&counter_thread.outside_line, totals_since_taken(line));
  counter_thread.line = NULL;
  atomic_store_explicit(&line->is_taken, false, memory_order_release);
}

void counters_start(void) {
  if (pthread_key_create(&thread_end_key, give_line_back) != 0) return;
  atomic_store(&has_thread_end_key, true);
}

void count_allocation_outside_line(uint64_t bytes) {
  CounterThread *thread = &counter_thread;
  switch (thread->state) {
    case counter_thread_is_new: {
      int saved_errno = errno;
      thread->state = counter_thread_is_taking_a_line;
      CounterLine *line = take_line();
      // Without a key, or if `pthread_setspecific` fails, the line is never returned. Then no other thread can use it,
      // but the totals are right.
      if (line != NULL && atomic_load(&has_thread_end_key)) pthread_setspecific(thread_end_key, line);
      thread->line = line;
      thread->state = counter_thread_shares_a_line;
      errno = saved_errno;
      count_allocation(bytes);
      return;
    }
    case counter_thread_is_taking_a_line:
      return;
    case counter_thread_shares_a_line:
      thread->outside_line.count += 1;
      thread->outside_line.bytes += bytes;
      atomic_fetch_add_explicit(&shared_line.count, 1, memory_order_relaxed);
      atomic_fetch_add_explicit(&shared_line.bytes, bytes, memory_order_relaxed);
      return;
  }
}

AllocationTotals allocation_counter_this_thread(void) {
  AllocationTotals totals = counter_thread.outside_line;
  if (counter_thread.line != NULL) add(&totals, totals_since_taken(counter_thread.line));
  return totals;
}

AllocationTotals allocation_counter_all_threads(void) {
  AllocationTotals sum = totals_of_line(&shared_line);
  size_t used = atomic_load(&used_line_count);
  for (size_t index = 0; index < used; index++) add(&sum, totals_of_line(&lines[index]));
  return sum;
}

#endif
