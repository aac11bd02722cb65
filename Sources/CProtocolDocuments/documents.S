/* The protocol's documents for machines as bytes of the read-only data section. Build systems do not see what .incbin
   reads, so `make schema` changes these lines with them; a test compares what is embedded with the files.
   openrpc.json SHA-256: 1395a8cbcdf700edcb53df9293d088b485aae069e8e0c779a3ba3d507894e36e
   schema.json SHA-256: 59f19f5f6cd4e9a8bc2de5d2fee3a925cff1a20064197ff5f9b50352affc4ae1 */
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
