#include "frame_clock.h"
