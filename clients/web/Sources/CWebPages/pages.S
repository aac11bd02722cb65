/* The files of clients/web/pages as bytes of the executable: nothing to install, nothing to look for at run time. Build systems do
   not see what .incbin reads, so touch this file after changing one; a test compares what is embedded with the files. */
.macro page file
  .section .rodata.web_page_names, "a", @progbits
1: .asciz "\file"
  .section .rodata.web_page_bytes, "a", @progbits
  .balign 16
2: .incbin "\file"
3: .byte 0
  .section .data.rel.ro.web_pages, "aw", @progbits
  .quad 1b, 2b, 3b
.endm

  .section .data.rel.ro.web_pages, "aw", @progbits
  .hidden web_pages_begin, web_pages_end
  .global web_pages_begin
  .global web_pages_end
  .balign 8
web_pages_begin:

  page "index.html"

  .section .data.rel.ro.web_pages, "aw", @progbits
web_pages_end:

  .section .note.GNU-stack,"",@progbits
