/* The protocol's documents for machines as bytes of the read-only data section. Build systems do not see what .incbin
   reads, so `make schema` changes these lines with them; a test compares what is embedded with the files.
   openrpc.json SHA-256: 21db6c559d2ca1fdb1ec37ea6ddd1965d12a768eda35c77576509a1e4f3d948c
   schema.json SHA-256: 851f139e49b75b0b7dc18bd87e1fc54113704e58c4b3f7b9f5cf0b683208adc6 */
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
