/// The three networks of the on-device headshot, embedded in the binary as read-only data.
///
/// Each is a TensorFlow Lite flatbuffer; `name` is its first byte, `name_end` the byte after its last.
/// Origin, licence and digests: `models/NOTICE`.
#ifndef CMODELS_H
#define CMODELS_H

extern const unsigned char face_detection_model[];
extern const unsigned char face_detection_model_end[];
extern const unsigned char face_landmark_model[];
extern const unsigned char face_landmark_model_end[];
extern const unsigned char selfie_segmentation_model[];
extern const unsigned char selfie_segmentation_model_end[];

#endif
