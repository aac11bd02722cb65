/* The protocol's documents for machines as bytes of the read-only data section. Build systems do not see what .incbin
   reads, so `make schema` changes these lines with them; a test compares what is embedded with the files.
   openrpc.json SHA-256: 5693efc1e778fbf6277fb5da77c8a42e36a26ae8e1b5c59ebbcd69f51a43881d
   schema.json SHA-256: aef96d8c48a8691b37431f397e9640a360805b52d9f025aede73f1a60e97bcd8 */
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
