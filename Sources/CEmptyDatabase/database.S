/* The database as bytes of the read-only data section. Build systems do not see what .incbin reads, so
   `make empty-database` changes this line with it; a test compares the tables with those of the Swift code.
   SHA-256: cf91767bbfccec8c578019cfdcfcfb5374e49744942f0db475c401f992dd24d8 */
  .section .rodata

  .global cemptydatabase_begin
  .global cemptydatabase_end
  .balign 64
cemptydatabase_begin:
  .incbin "empty.sqlite"
cemptydatabase_end:
  .byte 0

  .section .note.GNU-stack,"",@progbits
