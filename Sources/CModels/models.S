/* The models as bytes of the read-only data section: nothing to install, nothing to look for at run time.
   Build systems do not see what .incbin reads, so touch this file after replacing a model; a model that is not
   the one the Swift code names by its SHA-256 is refused when it is loaded. */
.macro model name, file
  .global cmodels_\name\()_begin
  .global cmodels_\name\()_end
  .balign 64
cmodels_\name\()_begin:
  .incbin "\file"
cmodels_\name\()_end:
  .byte 0
.endm

  .section .rodata

  model face_detection, face_detection_short_range.tflite
  model face_landmark, face_landmark.tflite
  model selfie_segmentation, selfie_segmentation.tflite

  .section .note.GNU-stack,"",@progbits
