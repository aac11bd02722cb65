/* The protocol's documents for machines as bytes of the read-only data section. Build systems do not see what .incbin
   reads, so `make schema` changes these lines with them; a test compares what is embedded with the files.
   openrpc.json SHA-256: c113beb1e460ea00ed3c7386518afdcc447b611980a7a41ddec0c1ab3fd644fd
   schema.json SHA-256: 5cdd5413b420e345b01c2f254c0d813058e71ad4e67494c011630096965c00b5 */
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
