/* The protocol's documents for machines as bytes of the read-only data section. Build systems do not see what .incbin
   reads, so `make schema` changes these lines with them; a test compares what is embedded with the files.
   openrpc.json SHA-256: 808e8485bc9a870353b8b08de3489d8442dedd8a5f7361b45445f92e59c2e008
   schema.json SHA-256: 00d9f57aab7d91ea0dc600933f3223022e4b4a8c2d56c726f5b579e3e3c72259 */
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
