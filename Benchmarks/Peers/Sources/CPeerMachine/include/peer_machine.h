#pragma once

/// Binds the calling thread to the last core that it may use. Returns the core, or -1 where that is denied.
int machine_pin_to_one_core(void);

/// Nanoseconds of a clock that nobody adjusts.
unsigned long long machine_nanoseconds(void);

/// How often the calling thread had to give its core to another so far; 0 where that is not told.
long machine_preemption_count(void);

/// The compiler of the C parts, and of what else the toolchain built.
const char *machine_c_compiler(void);
