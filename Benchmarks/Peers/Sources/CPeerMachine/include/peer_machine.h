#pragma once

/// Binds the calling thread to the last core that it may use. Returns the core, or -1 if the system refuses.
int machine_pin_to_one_core(void);

/// Nanoseconds of a clock that is never adjusted.
unsigned long long machine_nanoseconds(void);

/// Number of preemptions of the calling thread so far; 0 if unknown.
long machine_preemption_count(void);

/// The version of the C compiler, which belongs to the toolchain that builds the Swift code.
const char *machine_c_compiler(void);
