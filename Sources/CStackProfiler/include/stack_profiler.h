#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Records stacks during frames, at random moments or at each allocation, and counts equal stacks in memory that was
// reserved beforehand. A process can make one recording at a time.
//
// Stacks are unwound with the tables that exceptions use (.eh_frame), not with frame pointers. The Swift runtime, the C
// library and the allocator are compiled without frame pointers, so the function that called them, which matters most,
// would be missing. With a glibc older than 2.35, unwinding inside a signal handler may deadlock with a library that is
// being loaded, so there is no sampling.

/// All stacks with the same addresses that were seen in the same phase.
typedef struct {
  /// Code addresses, the innermost function first. A caller's address lies inside the calling instruction, because the
  /// next instruction may belong to other code.
  const uintptr_t *addresses;
  uint32_t depth;
  /// The phase that `stack_profiler_set_phase` set; -1 outside all phases.
  int32_t phase;
  /// The number of samples or allocations.
  uint64_t count;
  /// Bytes requested by the allocations; 0 for samples.
  uint64_t bytes;
  /// Numbers of the frames in which the stack was seen first and last.
  uint32_t first_frame;
  uint32_t last_frame;
  /// The number of frames in which the stack was seen, and the largest number of samples or allocations in one frame.
  uint32_t frame_count;
  uint64_t most_in_frame;
  /// Whether the stack belongs to a thread other than the one that called `stack_profiler_call`.
  bool is_other_thread;
  /// Whether unwinding ended before it reached `stack_profiler_call`. Always false for stacks of other threads.
  bool is_incomplete;
} ProfiledStack;

bool stack_profiler_can_sample(void);

/// Starts a recording by reserving memory for stacks. Returns false if memory is short or a recording is already
/// running.
bool stack_profiler_start(void);
/// Ends the recording and frees its memory.
void stack_profiler_stop(void);

/// Calls `body`. The recorded stacks end at this function.
void stack_profiler_call(void (*body)(void *context), void *context);

/// Begins a frame. Samples and allocations are recorded until the frame ends.
void stack_profiler_begin_frame(uint32_t frame);
void stack_profiler_end_frame(void);
/// Sets the current phase and returns the previous one.
int32_t stack_profiler_set_phase(int32_t phase);

/// Starts a timer that sends signals to this thread at random moments of wall time, so that each moment at which the
/// thread runs is equally likely to be sampled. `mean_nanoseconds` is the mean interval. Returns 0 or an error number.
int stack_profiler_start_sampling(uint64_t mean_nanoseconds, uint64_t seed);
void stack_profiler_stop_sampling(void);
/// Whether the profiler still handles the signals, and this thread does not block them.
bool stack_profiler_receives_signals(void);
/// Stops the signals while code that is not profiled runs, such as set-up. `stack_profiler_resume_sampling` starts them
/// again.
void stack_profiler_pause_sampling(void);
void stack_profiler_resume_sampling(void);

/// Records the stack of the calling thread if a frame is being measured. May be called from inside the allocator.
void stack_profiler_add_allocation(uint64_t bytes);

/// The number of samples or allocations seen, and how many of them were not recorded, because the memory was full.
uint64_t stack_profiler_seen_count(void);
uint64_t stack_profiler_lost_count(void);

/// The number of different stacks. Call this only while nothing is being recorded.
size_t stack_profiler_stack_count(void);
ProfiledStack stack_profiler_stack(size_t index);

/// Finds the program or library whose code contains an address: its path, and the address within the file. The path is
/// empty for the program itself, and remains valid as long as the library is loaded. Returns false if there is no code
/// at the address.
bool stack_profiler_find_module(uintptr_t address, const char **path, uintptr_t *file_address);
