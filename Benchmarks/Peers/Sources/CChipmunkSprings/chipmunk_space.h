#pragma once

#include <chipmunk/chipmunk.h>

/// Creates a space without Chipmunk's greeting. A build of Chipmunk with assertions would write the greeting to stdout,
/// where only the report belongs.
cpSpace *chipmunk_space_without_greeting(void);
