/* The protocol's documents for machines as bytes of the read-only data section. Build systems do not see what .incbin
   reads, so `make schema` changes these lines with them; a test compares what is embedded with the files.
   openrpc.json SHA-256: 9415b7a031497184194b11fa6bc873cf562b115d5252215f090d4cd315bc8548
   schema.json SHA-256: f045c26de156ce17db8c51bba3b46789fcee7de64540ea020199ea3ee0f60d2d */
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
