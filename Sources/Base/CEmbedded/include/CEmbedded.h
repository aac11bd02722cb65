/// Files that are part of the executable, as read-only data.
#ifndef CEMBEDDED_H
#define CEMBEDDED_H

#include <stddef.h>

/// A file's bytes; they live as long as the process and never change.
typedef struct {
  const unsigned char *_Nonnull bytes;
  size_t size;
} embedded_file;

#define EMBEDDED_FILE(name)                                                                    \
  extern const unsigned char embedded_##name##_begin[];                                        \
  extern const unsigned char embedded_##name##_end[];                                          \
  static inline embedded_file embedded_##name(void) {                                          \
    return (embedded_file){embedded_##name##_begin,                                            \
                           (size_t)(embedded_##name##_end - embedded_##name##_begin)};         \
  }

// The networks of the on-device headshot, TensorFlow Lite flatbuffers. Origin, licence and digests: `models/NOTICE`.
EMBEDDED_FILE(face_detection)
EMBEDDED_FILE(face_landmark)
EMBEDDED_FILE(pose_segmentation)
EMBEDDED_FILE(selfie_segmentation)
EMBEDDED_FILE(u2netp)

// A picture as telephones write it, and an AVIF, by which the decoders are checked: `pictures/make.py`.
EMBEDDED_FILE(picture_heic)
EMBEDDED_FILE(picture_avif)

// The built-in hairstyles, a file a category: JSON in the format of the operator's files.
EMBEDDED_FILE(hairstyles_short)
EMBEDDED_FILE(hairstyles_medium)
EMBEDDED_FILE(hairstyles_long)
EMBEDDED_FILE(hairstyles_curly)
EMBEDDED_FILE(hairstyles_updo)
EMBEDDED_FILE(hairstyles_braids)
EMBEDDED_FILE(hairstyles_color)
EMBEDDED_FILE(hairstyles_trendy)
EMBEDDED_FILE(hairstyles_beard)

// The sentences for people in other languages: English templates and their translations. How to add one: CONTRIBUTING.md.
EMBEDDED_FILE(language_de)
EMBEDDED_FILE(language_es)
EMBEDDED_FILE(language_hi)
EMBEDDED_FILE(language_ja)
EMBEDDED_FILE(language_zh)

// `protocol/openrpc.json` and `protocol/schema.json`, which `make schema` writes: what the service answers is what the
// repository holds, and the code that writes them is not shipped.
EMBEDDED_FILE(openrpc)
EMBEDDED_FILE(schema)

#endif
