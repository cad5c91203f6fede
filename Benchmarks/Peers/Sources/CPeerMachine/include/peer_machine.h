#pragma once

/// Binds the calling thread to the last core that it may use. Returns the core, or -1 if that is denied.
int machine_pin_to_one_core(void);

/// Nanoseconds of a clock that nobody adjusts.
unsigned long long machine_nanoseconds(void);

/// Number of preemptions of the calling thread so far; 0 if unknown.
long machine_preemption_count(void);

/// The compiler of the C parts, and of other parts built by the toolchain.
const char *machine_c_compiler(void);
