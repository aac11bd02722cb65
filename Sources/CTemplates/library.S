/* The library's hairstyles as bytes of the read-only data section, a file a category: nothing to install, nothing to
   look for at run time. Build systems do not see what .incbin reads, so touch this file after changing one; a test
   compares what is embedded with the files. */
.macro category name
  .global ctemplates_\name\()_begin
  .global ctemplates_\name\()_end
ctemplates_\name\()_begin:
  .incbin "\name\().json"
ctemplates_\name\()_end:
  .byte 0
.endm

  .section .rodata

  category short
  category medium
  category long
  category curly
  category updo
  category braids
  category color
  category trendy
  category beard

  .section .note.GNU-stack,"",@progbits
