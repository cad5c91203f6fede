#pragma once

#include <chipmunk/chipmunk.h>

/// A space that does not print Chipmunk's greeting: a build with assertions writes one to stdout, where only the table
/// belongs.
cpSpace *chipmunk_space_without_greeting(void);
