/* The protocol's documents for machines as bytes of the read-only data section. Build systems do not see what .incbin
   reads, so `make schema` changes these lines with them; a test compares what is embedded with the files.
   openrpc.json SHA-256: 41f2d53ef5f7bc4b04406b109438717edbf7b0c25219eaa0d46d5578fd6bf2f7
   schema.json SHA-256: 51d4a8d0420a9adc00b5448cc06a72215057c2ebbeb3f43348d361e1cc40116a */
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
