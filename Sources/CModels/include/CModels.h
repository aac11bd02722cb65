/// The three networks of the on-device headshot, embedded in the binary as read-only data.
///
/// Each is a TensorFlow Lite flatbuffer. Origin, licence and digests: `models/NOTICE`.
#ifndef CMODELS_H
#define CMODELS_H

#include <stddef.h>

/// A model's bytes; they live as long as the process and never change.
typedef struct {
  const unsigned char *_Nonnull bytes;
  size_t size;
} cmodels_model;

extern const unsigned char cmodels_face_detection_begin[];
extern const unsigned char cmodels_face_detection_end[];
extern const unsigned char cmodels_face_landmark_begin[];
extern const unsigned char cmodels_face_landmark_end[];
extern const unsigned char cmodels_selfie_segmentation_begin[];
extern const unsigned char cmodels_selfie_segmentation_end[];

static inline cmodels_model cmodels_face_detection(void) {
  return (cmodels_model){cmodels_face_detection_begin,
                         (size_t)(cmodels_face_detection_end - cmodels_face_detection_begin)};
}

static inline cmodels_model cmodels_face_landmark(void) {
  return (cmodels_model){cmodels_face_landmark_begin,
                         (size_t)(cmodels_face_landmark_end - cmodels_face_landmark_begin)};
}

static inline cmodels_model cmodels_selfie_segmentation(void) {
  return (cmodels_model){cmodels_selfie_segmentation_begin,
                         (size_t)(cmodels_selfie_segmentation_end - cmodels_selfie_segmentation_begin)};
}

#endif
