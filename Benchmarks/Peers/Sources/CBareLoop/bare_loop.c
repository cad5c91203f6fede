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

static inline __attribute__((always_inline)) double anchor(const BareList *list, size_t i) {
  return list->first_anchor + (double)i * list->pitch;
}

static inline __attribute__((always_inline)) double share(const BareList *list, size_t i, BareTouch touch) {
  const double ratio =
      (magnitude(touch.y - anchor(list, i)) + magnitude(touch.x - list->anchor_x)) * list->inverse_resistance;
  return ratio < 1 ? ratio : 1;
}

/// Returns the index of the row at a position, limited to the range from `first` to `end`.
static size_t row_at(const BareList *list, double y) {
  const double row = (y - list->first_anchor) * list->inverse_pitch;
  if (!(row > (double)list->first)) return list->first;
  return row < (double)list->end ? (size_t)row : list->end;
}

WIDEST void bare_list_step(const BareList *list, double delta, BareTouch touch) {
  const BareList copy = *list;
  double *restrict displacement = copy.displacement, *restrict velocity = copy.velocity;
  const double reach = 1 / copy.inverse_resistance + copy.pitch;
  const size_t near = row_at(&copy, touch.y - reach), far = row_at(&copy, touch.y + reach);
  // Steps the rows on both sides that are so far from the touch that they move by the whole delta.
  for (int side = 0; side < 2; side++) {
    const size_t start = side == 0 ? copy.first : far, end = side == 0 ? near : copy.end;
    for (size_t i = start; i < end; i++) {
      const double d = displacement[i] + delta, v = velocity[i];
      displacement[i] = copy.m00 * d + copy.m01 * v;
      velocity[i] = copy.m10 * d + copy.m11 * v;
    }
  }
  for (size_t i = near; i < far; i++) {
    const double d = displacement[i] + delta * share(&copy, i, touch), v = velocity[i];
    displacement[i] = copy.m00 * d + copy.m01 * v;
    velocity[i] = copy.m10 * d + copy.m11 * v;
  }
}

void bare_list_show(BareList *list, double low, double high, double delta, BareTouch touch) {
  // Finds the rows that overlap the range from `low` to `high`. Rows that only touch its ends do not count.
  const double half = list->height / 2;
  const double before = (low - half - list->first_anchor) * list->inverse_pitch;
  const double behind = (high + half - list->first_anchor) * list->inverse_pitch;
  const size_t first = before < 0 ? 0 : (size_t)before + 1;
  size_t end = behind < (double)list->count ? (size_t)behind : list->count;
  if ((double)end < behind && end < list->count) end++;
  if (first == list->first && end == list->end) return;
  for (size_t i = first; i < end; i++) {
    if (i >= list->first && i < list->end) continue;
    list->displacement[i] = delta * share(list, i, touch);
    list->velocity[i] = 0;
  }
  list->first = first;
  list->end = end;
}

size_t bare_list_visible(const BareList *list, double top, double bottom, BareRow *rows) {
  const double half = list->height / 2;
#define CENTER(i) (anchor(list, i) + list->displacement[i])
  size_t i = row_at(list, top), found = 0;
  while (i > list->first && CENTER(i - 1) + half > top) i--;
  while (i < list->end && CENTER(i) + half <= top) i++;
  for (; i < list->end && CENTER(i) - half < bottom; i++) rows[found++] = (BareRow){i, list->anchor_x, CENTER(i)};
#undef CENTER
  return found;
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
