#include "bare_loop.h"

// Disables fused multiply-add, because the engine's loops do not use it either.
#pragma STDC FP_CONTRACT OFF

#if defined(__x86_64__) && defined(__linux__)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST
#endif

WIDEST void bare_step(
    double *restrict displacement, double *restrict velocity, size_t count, double m00, double m01,
    double m10, double m11) {
  for (size_t i = 0; i < count; i++) {
    const double d = displacement[i], v = velocity[i];
    displacement[i] = m00 * d + m01 * v;
    velocity[i] = m10 * d + m11 * v;
  }
}

static inline __attribute__((always_inline)) double magnitude(double value) {
  return value < 0 ? -value : value;
}

WIDEST void bare_shift(
    double *restrict displacement, const double *restrict anchor_x, const double *restrict anchor_y,
    size_t count, double delta, double touch_x, double touch_y, double inverse_resistance) {
  for (size_t i = 0; i < count; i++) {
    const double ratio =
        (magnitude(touch_y - anchor_y[i]) + magnitude(touch_x - anchor_x[i])) * inverse_resistance;
    displacement[i] += delta * (ratio < 1 ? ratio : 1);
  }
}

WIDEST void bare_read_y(
    double *restrict centers, const double *restrict anchor_x, const double *restrict anchor_y,
    const double *restrict displacement_y, size_t count) {
  for (size_t i = 0; i < count; i++) {
    centers[2 * i] = anchor_x[i];
    centers[2 * i + 1] = anchor_y[i] + displacement_y[i];
  }
}

WIDEST void bare_read_xy(
    double *restrict centers, const double *restrict anchor_x, const double *restrict anchor_y,
    const double *restrict displacement_x, const double *restrict displacement_y, size_t count) {
  for (size_t i = 0; i < count; i++) {
    centers[2 * i] = anchor_x[i] + displacement_x[i];
    centers[2 * i + 1] = anchor_y[i] + displacement_y[i];
  }
}

const char *bare_vectors(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
  return "SSE2";
#else
  return "the compiler's default";
#endif
}
