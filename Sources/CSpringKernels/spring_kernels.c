#include "spring_kernels.h"
