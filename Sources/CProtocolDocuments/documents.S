/* The protocol's documents for machines as bytes of the read-only data section. Build systems do not see what .incbin
   reads, so `make schema` changes these lines with them; a test compares what is embedded with the files.
   openrpc.json SHA-256: a2e61f6abdd7fac3f5ea432eb64a9c7e5b84c2991224546fb508b308a3003e9a
   schema.json SHA-256: 98693d1b827ddc02a458cf8af8448716dac7dd6ab3ff3a445db6de7b22f2d4c1 */
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
