#pragma once

/// Binds the calling thread to the last core that it may use. Returns the core, or -1 if the system refuses.
int machine_pin_to_one_core(void);

/// Returns the time in nanoseconds of a clock that is never adjusted.
unsigned long long machine_nanoseconds(void);

/// Returns the number of preemptions of the calling thread so far; 0 if unknown.
long machine_preemption_count(void);

/// Returns the version of the C compiler, which belongs to the toolchain that builds the Swift code.
const char *machine_c_compiler(void);
