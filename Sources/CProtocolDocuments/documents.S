/* The protocol's documents for machines as bytes of the read-only data section. Build systems do not see what .incbin
   reads, so `make schema` changes these lines with them; a test compares what is embedded with the files.
   openrpc.json SHA-256: 2f07116567d4a7d2806901dcd6c4e61c7eeecf1fdb2d36bbf28ed8e9f3e9d4cb
   schema.json SHA-256: a473b176428861bb3be9b380fb0c227aac546d7f919ad7c55716c5d00966264d */
.macro document name
  .global cprotocoldocuments_\name\()_begin
  .global cprotocoldocuments_\name\()_end
cprotocoldocuments_\name\()_begin:
  .incbin "\name\().json"
cprotocoldocuments_\name\()_end:
  .byte 0
.endm

  .section .rodata

  document openrpc
  document schema

  .section .note.GNU-stack,"",@progbits
