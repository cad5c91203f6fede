#include "instruction_counter.h"

#if defined(__x86_64__)

/// Numbers of the requests to valgrind. Requests to valgrind itself start at 0x1000. Requests to a tool have two
/// letters in the upper bytes. Valgrind promises never to change these numbers.
enum {
  running_on_valgrind = 0x1001,
  callgrind_base = 'C' << 24 | 'T' << 16,
  callgrind_zero_stats = callgrind_base + 1,
  callgrind_toggle_collect = callgrind_base + 2,
  callgrind_dump_stats_at = callgrind_base + 3,
  callgrind_start_instrumentation = callgrind_base + 4,
};

/// Sends a request to valgrind. Four rotations of rdi, by 128 bits in total, and an exchange of rbx with itself change
/// nothing on a real processor, but valgrind recognizes them as a request. rax points to the number of the request and
/// its arguments, and the answer comes in rdx.
static inline uint64_t instruction_counter_request(uint64_t number, uint64_t argument) {
  volatile uint64_t arguments[6] = {number, argument, 0, 0, 0, 0};
  volatile uint64_t answer = 0;
  __asm__ volatile(
      "rolq $3,  %%rdi ; rolq $13, %%rdi\n\t"
      "rolq $61, %%rdi ; rolq $51, %%rdi\n\t"
      "xchgq %%rbx, %%rbx"
      : "=d"(answer)
      : "a"(&arguments[0]), "0"(0ul)
      : "cc", "memory");
  return answer;
}

bool instruction_counter_is_under_valgrind(void) { return instruction_counter_request(running_on_valgrind, 0) != 0; }
void instruction_counter_start(void) { instruction_counter_request(callgrind_start_instrumentation, 0); }
void instruction_counter_discard(void) { instruction_counter_request(callgrind_zero_stats, 0); }
void instruction_counter_toggle_collection(void) { instruction_counter_request(callgrind_toggle_collect, 0); }
void instruction_counter_write(const char *name) {
  instruction_counter_request(callgrind_dump_stats_at, (uint64_t)(uintptr_t)name);
}

#else

bool instruction_counter_is_under_valgrind(void) { return false; }
void instruction_counter_start(void) {}
void instruction_counter_discard(void) {}
void instruction_counter_toggle_collection(void) {}
void instruction_counter_write(const char *name) { (void)name; }

#endif
