#pragma once

#include <chipmunk/chipmunk.h>

/// Creates a space without Chipmunk's greeting, which some builds of Chipmunk would write into the report on stdout.
cpSpace *chipmunk_space_without_greeting(void);
