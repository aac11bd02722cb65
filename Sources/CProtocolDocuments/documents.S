/* The protocol's documents for machines as bytes of the read-only data section. Build systems do not see what .incbin
   reads, so `make schema` changes these lines with them; a test compares what is embedded with the files.
   openrpc.json SHA-256: dc2ae6f25c3c052a524dd30ac5786935e2aa1a403cbe2ec6a81f6c2354baddfa
   schema.json SHA-256: c4e038e3282cedac5ad52cd0714029ceccc3b5299e7526e1f15a1995aafe003e */
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
