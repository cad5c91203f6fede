#pragma once

#include <chipmunk/chipmunk.h>

/// Creates a space without Chipmunk's greeting. A build with assertions would write the greeting to stdout, which is
/// for the report.
cpSpace *chipmunk_space_without_greeting(void);
