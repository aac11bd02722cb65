/* The database as bytes of the read-only data section. Build systems do not see what .incbin reads, so
   `make empty-database` changes this line with it; a test compares the tables with those of the Swift code.
   SHA-256: 6d7fb0b094a167f80ae2bbca3a56144a219fff93ba53b729ae50fc4c4301fde1 */
  .section .rodata

  .global cemptydatabase_begin
  .global cemptydatabase_end
  .balign 64
cemptydatabase_begin:
  .incbin "empty.sqlite"
cemptydatabase_end:
  .byte 0

  .section .note.GNU-stack,"",@progbits
