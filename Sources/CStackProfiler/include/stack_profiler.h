#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Stacks of one thread's frames, taken at random moments or at each allocation, and summed in memory
// reserved beforehand. One recording at a time per process.
//
// Stacks are unwound by the tables that exceptions use (.eh_frame), not by frame pointers: the Swift
// runtime, the C library and the allocator are compiled without those, and the function that called into
// them, the one of interest, would be missing. On a C library older than glibc 2.35 unwinding inside a
// signal may deadlock with a library that is being loaded; there is no sampling then.

/// Stacks that are equal, address by address, and were seen in the same phase.
typedef struct {
  /// Leaf first; each lies inside the calling instruction, not behind it, so that it can be looked up.
  const uintptr_t *addresses;
  uint32_t depth;
  /// The phase that `stack_profiler_set_phase` set; -1 outside all phases.
  int32_t phase;
  /// Samples, or allocations.
  uint64_t count;
  /// Bytes requested; allocations only.
  uint64_t bytes;
  /// Numbers of the first and last frame in which it was seen.
  uint32_t first_frame;
  uint32_t last_frame;
  /// Frames in which it was seen, and how often at most in one of them.
  uint32_t frame_count;
  uint64_t most_in_frame;
  /// Whether the stack is that of another thread than the one that called `stack_profiler_start`.
  bool is_other_thread;
  /// The unwinder did not get as far as `stack_profiler_call`.
  bool is_incomplete;
} ProfiledStack;

/// Whether stacks can be sampled.
bool stack_profiler_can_sample(void);

/// Makes room for stacks; false if memory is short or a recording is running.
bool stack_profiler_start(void);
/// Forgets everything recorded.
void stack_profiler_stop(void);

/// Calls `body`; stacks end there.
void stack_profiler_call(void (*body)(void *context), void *context);

/// Starts a frame: samples and allocations count until it ends.
void stack_profiler_begin_frame(uint32_t frame);
void stack_profiler_end_frame(void);
/// Returns the phase before.
int32_t stack_profiler_set_phase(int32_t phase);

/// Sends signals to this thread at random moments, this many nanoseconds apart on average, of wall time:
/// each moment that this thread runs is as likely as any other. Returns 0 or an error number.
int stack_profiler_start_sampling(uint64_t mean_nanoseconds, uint64_t seed);
void stack_profiler_stop_sampling(void);
/// Holds the signals back, while nothing of interest runs, and lets them come again.
void stack_profiler_pause_sampling(void);
void stack_profiler_resume_sampling(void);
/// Signals that came while no frame was being measured.
uint64_t stack_profiler_outside_count(void);

/// Adds the calling thread's stack if a frame is being measured. May be called from inside the allocator.
void stack_profiler_add_allocation(uint64_t bytes);

/// Samples or allocations seen, and how many of them found no more room.
uint64_t stack_profiler_seen_count(void);
uint64_t stack_profiler_lost_count(void);

/// Different stacks; ask only while nothing is added.
size_t stack_profiler_stack_count(void);
ProfiledStack stack_profiler_stack(size_t index);

/// The program or library whose code lies at an address: its path (empty for the program itself; the
/// pointer lives as long as the library), and the address as the file has it. False for no code.
bool stack_profiler_find_module(uintptr_t address, const char **path, uintptr_t *file_address);
