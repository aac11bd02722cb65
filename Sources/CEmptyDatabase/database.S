/* The database as bytes of the read-only data section. Build systems do not see what .incbin reads, so
   `make empty-database` changes this line with it; a test compares the tables with those of the Swift code.
   SHA-256: 047a62cf922d658451ccee36ae3d4f4d47a495c508d15ad14e67daef451f7ca9 */
  .section .rodata

  .global cemptydatabase_begin
  .global cemptydatabase_end
  .balign 64
cemptydatabase_begin:
  .incbin "empty.sqlite"
cemptydatabase_end:
  .byte 0

  .section .note.GNU-stack,"",@progbits
