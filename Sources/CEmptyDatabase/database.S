/* The database as bytes of the read-only data section. Build systems do not see what .incbin reads, so
   `make empty-database` changes this line with it; a test compares the tables with those of the Swift code.
   SHA-256: 3894f4650c64430c5e4e111fc9742b1d95d6b0188d34769f45581f93456347db */
  .section .rodata

  .global cemptydatabase_begin
  .global cemptydatabase_end
  .balign 64
cemptydatabase_begin:
  .incbin "empty.sqlite"
cemptydatabase_end:
  .byte 0

  .section .note.GNU-stack,"",@progbits
