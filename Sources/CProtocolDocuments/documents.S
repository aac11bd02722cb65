/* The protocol's documents for machines as bytes of the read-only data section. Build systems do not see what .incbin
   reads, so `make schema` changes these lines with them; a test compares what is embedded with the files.
   openrpc.json SHA-256: f0d907561ce9c9dc6187f4ece6226ad39af2c7f8e63d8574409d25c561508899
   schema.json SHA-256: 992e39df948d96cd1a1345f9a110c1a2bd29674b78162a35c42c5ff7f2d27504 */
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
