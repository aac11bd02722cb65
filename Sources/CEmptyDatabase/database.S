/* The database as bytes of the read-only data section. Build systems do not see what .incbin reads, so
   `make empty-database` touches this file; a test compares the tables with those of the Swift code. */
  .section .rodata

  .global cemptydatabase_begin
  .global cemptydatabase_end
  .balign 64
cemptydatabase_begin:
  .incbin "empty.sqlite"
cemptydatabase_end:
  .byte 0

  .section .note.GNU-stack,"",@progbits
