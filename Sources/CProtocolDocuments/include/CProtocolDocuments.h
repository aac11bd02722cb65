/// `protocol/openrpc.json` and `protocol/schema.json`, embedded in the binary as read-only data: what the service answers
/// is what the repository holds, and the code that writes them is not shipped. `make schema` writes them.
#ifndef CPROTOCOLDOCUMENTS_H
#define CPROTOCOLDOCUMENTS_H

#include <stddef.h>

/// A file's bytes; they live as long as the process and never change.
typedef struct {
  const unsigned char *_Nonnull bytes;
  size_t size;
} cprotocoldocuments_file;

extern const unsigned char cprotocoldocuments_openrpc_begin[];
extern const unsigned char cprotocoldocuments_openrpc_end[];
extern const unsigned char cprotocoldocuments_schema_begin[];
extern const unsigned char cprotocoldocuments_schema_end[];

static inline cprotocoldocuments_file cprotocoldocuments_openrpc(void) {
  return (cprotocoldocuments_file){
      cprotocoldocuments_openrpc_begin, (size_t)(cprotocoldocuments_openrpc_end - cprotocoldocuments_openrpc_begin)};
}

static inline cprotocoldocuments_file cprotocoldocuments_schema(void) {
  return (cprotocoldocuments_file){
      cprotocoldocuments_schema_begin, (size_t)(cprotocoldocuments_schema_end - cprotocoldocuments_schema_begin)};
}

#endif
