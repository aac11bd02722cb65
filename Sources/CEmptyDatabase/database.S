/* The database as bytes of the read-only data section. Build systems do not see what .incbin reads, so
   `make empty-database` changes this line with it; a test compares the tables with those of the Swift code.
   SHA-256: 24cc1f69625500033f5fbf24b28265c932592dc9a410098f7adf1f9e96c0e422 */
  .section .rodata

  .global cemptydatabase_begin
  .global cemptydatabase_end
  .balign 64
cemptydatabase_begin:
  .incbin "empty.sqlite"
cemptydatabase_end:
  .byte 0

  .section .note.GNU-stack,"",@progbits
