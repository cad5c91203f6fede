#define _GNU_SOURCE
#include "stack_table.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/// Whether a frame is being measured, the number of the frame, and the current phase (-1 outside all phases). The
/// thread that runs the frames writes these variables; other threads and signal handlers read them.
static _Atomic bool is_in_frame;
static _Atomic uint32_t current_frame;
static _Atomic int32_t current_phase = -1;

// With the initial-exec model, an access from inside the allocator never allocates.
#define THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
/// The address at which recorded stacks end, on the thread that runs the frames to profile; 0 on all other threads.
static THREAD_LOCAL uintptr_t stack_base;
static THREAD_LOCAL bool is_adding;

__attribute__((noinline)) void stack_profiler_call(void (*body)(void *context), void *context) {
  UnwoundStack first;
  // The unwinder initializes itself when it is first used, and may allocate then.
  stack_unwind(&first, 0, 0);
  stack_base = (uintptr_t)__builtin_frame_address(0);
  atomic_store(&current_phase, -1);
  body(context);
  stack_base = 0;
}

void stack_profiler_begin_frame(uint32_t frame) {
  atomic_store_explicit(&current_frame, frame, memory_order_relaxed);
  atomic_store_explicit(&is_in_frame, true, memory_order_release);
}

void stack_profiler_end_frame(void) {
  atomic_store_explicit(&is_in_frame, false, memory_order_release);
  atomic_store_explicit(&current_phase, -1, memory_order_relaxed);
}

int32_t stack_profiler_set_phase(int32_t phase) {
  int32_t before = atomic_load_explicit(&current_phase, memory_order_relaxed);
  atomic_store_explicit(&current_phase, phase, memory_order_relaxed);
  return before;
}

static void record(const UnwoundStack *stack, uint64_t bytes, bool is_other_thread) {
  stack_table_add(
      stack, atomic_load_explicit(&current_phase, memory_order_relaxed),
      atomic_load_explicit(&current_frame, memory_order_relaxed), bytes, is_other_thread);
}

__attribute__((noinline)) void stack_profiler_add_allocation(uint64_t bytes) {
  if (!atomic_load_explicit(&is_in_frame, memory_order_acquire) || is_adding) return;
  is_adding = true;
  int saved_errno = errno;
  UnwoundStack stack;
  stack_unwind(&stack, 0, stack_base);
  record(&stack, bytes, stack_base == 0);
  errno = saved_errno;
  is_adding = false;
}

static timer_t timer;
static uint64_t mean_interval;
static uint64_t random_state;
/// Whether sampling is paused. A signal that is still pending must then not start the timer again.
static volatile sig_atomic_t is_paused;

static void arm_after(uint64_t least) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  uint64_t nanoseconds = least + random_state % (mean_interval + 1) + 1;
  struct itimerspec next = {
      .it_value = {.tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)}};
  timer_settime(timer, 0, &next, NULL);
}

/// Starts the timer for the next sample, 0.5 to 1.5 mean intervals from now. The time is random, so that samples do not
/// synchronize with frames. The minimum ensures that taking a sample is not itself sampled.
static void arm(void) { arm_after(mean_interval / 2); }

/// The registers of the function that the signal interrupted.
typedef struct {
  uintptr_t address;
  /// The return address, if the function has not changed the stack or the link register yet; otherwise meaningless.
  uintptr_t return_address;
  uintptr_t frame_pointer;
  uintptr_t stack_pointer;
} Interrupted;

static Interrupted interrupted(const ucontext_t *context) {
#if defined(__x86_64__)
  const greg_t *registers = context->uc_mcontext.gregs;
  uintptr_t stack_pointer = (uintptr_t)registers[REG_RSP];
  return (Interrupted){
      .address = (uintptr_t)registers[REG_RIP],
      .return_address = *(const uintptr_t *)stack_pointer,
      .frame_pointer = (uintptr_t)registers[REG_RBP],
      .stack_pointer = stack_pointer,
  };
#else
  return (Interrupted){
      .address = (uintptr_t)context->uc_mcontext.pc,
      .return_address = (uintptr_t)context->uc_mcontext.regs[30],
      .frame_pointer = (uintptr_t)context->uc_mcontext.regs[29],
      .stack_pointer = (uintptr_t)context->uc_mcontext.sp,
  };
#endif
}

#ifdef __GLIBC_PREREQ
#define HAS_FIND_OBJECT __GLIBC_PREREQ(2, 35)
#endif

#if HAS_FIND_OBJECT
bool stack_profiler_can_sample(void) { return true; }

static bool is_code(uintptr_t address) {
  struct dl_find_object found;
  return _dl_find_object((void *)address, &found) == 0;
}
#else
bool stack_profiler_can_sample(void) { return false; }
static bool is_code(uintptr_t address) { return false; }
#endif

/// Unwinds from code without unwind tables, such as the stubs that lead into libraries. Uses the return address of the
/// interrupted function and the frame pointers of its callers.
static void follow_frame_pointers(UnwoundStack *stack, Interrupted leaf) {
  stack->depth = 0;
  stack->addresses[stack->depth++] = leaf.address;
  if (is_code(leaf.return_address)) stack->addresses[stack->depth++] = leaf.return_address - 1;
  uintptr_t frame = leaf.frame_pointer;
  uintptr_t lowest = leaf.stack_pointer;
  while (frame >= lowest && frame < stack_base && frame % sizeof(uintptr_t) == 0
         && stack->depth < stack_capacity) {
    uintptr_t address = ((const uintptr_t *)frame)[1];
    if (!is_code(address)) return;
    stack->addresses[stack->depth++] = address - 1;
    lowest = frame + 1;
    frame = *(const uintptr_t *)frame;
  }
  stack->is_incomplete = frame != stack_base;
}

static void take_sample(int number, siginfo_t *info, void *context) {
  int saved_errno = errno;
  if (atomic_load_explicit(&is_in_frame, memory_order_relaxed) && stack_base != 0) {
    UnwoundStack stack;
    Interrupted leaf = interrupted(context);
    stack_unwind(&stack, leaf.address, stack_base);
    if (stack.depth <= 1) follow_frame_pointers(&stack, leaf);
    record(&stack, 0, false);
  }
  if (!is_paused) arm();
  errno = saved_errno;
}

int stack_profiler_start_sampling(uint64_t mean_nanoseconds, uint64_t seed) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return errno;
  struct sigaction action = {.sa_sigaction = take_sample, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGPROF, &action, NULL);
  mean_interval = mean_nanoseconds;
  random_state = seed | 1;
  is_paused = false;
  arm();
  return 0;
}

bool stack_profiler_receives_signals(void) {
  struct sigaction now;
  sigset_t blocked;
  return sigaction(SIGPROF, NULL, &now) == 0 && now.sa_sigaction == take_sample &&
         pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0 && !sigismember(&blocked, SIGPROF);
}

void stack_profiler_pause_sampling(void) {
  is_paused = true;
  struct itimerspec never = {0};
  timer_settime(timer, 0, &never, NULL);
}

/// Starts the timer for the next sample without a minimum time, because the next signal may have been due right when
/// the pause began.
void stack_profiler_resume_sampling(void) {
  is_paused = false;
  arm_after(0);
}

void stack_profiler_stop_sampling(void) {
  signal(SIGPROF, SIG_IGN);
  timer_delete(timer);
}

