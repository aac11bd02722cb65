#include "CMatrixProduct.h"
#include "vector.h"

/// Not in one instruction: activations have the same bits on every processor.
#pragma STDC FP_CONTRACT OFF

/// What is no number stays none.
INLINE float clamped(float x, float least, float most) {
  const float raised = x < least ? least : x;
  return raised > most ? most : raised;
}

/// Loops that the compiler turns into vectors.
INLINE void activate(activation_kind kind, float *numbers, size_t count) {
  switch (kind) {
  case activation_relu:
    for (size_t index = 0; index < count; ++index) numbers[index] = numbers[index] < 0 ? 0 : numbers[index];
    break;
  case activation_relu6:
    for (size_t index = 0; index < count; ++index) numbers[index] = clamped(numbers[index], 0, 6);
    break;
  case activation_hard_swish:
    for (size_t index = 0; index < count; ++index)
      numbers[index] = numbers[index] * clamped(numbers[index] + 3, 0, 6) * (1.0f / 6);
    break;
  }
}

#if defined(__x86_64__)
NEWER_PROCESSORS static void activate_on_newer_processors(activation_kind kind, float *numbers, size_t count) {
  activate(kind, numbers, count);
}
#endif

void activation_apply(activation_kind kind, float *numbers, size_t count) {
#if defined(__x86_64__)
  if (is_newer_processor()) {
    activate_on_newer_processors(kind, numbers, count);
    return;
  }
#endif
  activate(kind, numbers, count);
}
