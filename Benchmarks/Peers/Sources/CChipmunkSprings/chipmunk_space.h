#pragma once

#include <chipmunk/chipmunk.h>

/// Creates a space without Chipmunk's greeting: a build with assertions writes it to stdout, where only the table
/// belongs.
cpSpace *chipmunk_space_without_greeting(void);
