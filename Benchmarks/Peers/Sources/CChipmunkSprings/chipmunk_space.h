#pragma once

#include <chipmunk/chipmunk.h>

/// A build of Chipmunk with assertions greets on stdout, which is for the table alone.
cpSpace *chipmunk_space_without_greeting(void);
