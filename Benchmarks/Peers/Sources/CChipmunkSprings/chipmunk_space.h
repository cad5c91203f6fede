#pragma once

#include <chipmunk/chipmunk.h>

/// A build of Chipmunk with assertions greets on stdout, where the table shall stand alone.
cpSpace *chipmunk_space_without_greeting(void);
