/* The protocol's documents for machines as bytes of the read-only data section. Build systems do not see what .incbin
   reads, so `make schema` changes these lines with them; a test compares what is embedded with the files.
   openrpc.json SHA-256: 0ffee4c6706d49223e307db18ff2f906c5721faf118d76b1d92c6f280c18ec97
   schema.json SHA-256: fea307641cdc17de42d76ef99c3affde465bf3a60ff93eeb74d105df747498e9 */
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
