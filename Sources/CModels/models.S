/* The models as bytes of the read-only data section: nothing to install, nothing to look for at run time.
   Build systems do not see what .incbin reads; after replacing a model, touch this file. A stale or altered
   model is refused at start by its SHA-256 in any case. */
  .section .rodata

  .global face_detection_model
  .global face_detection_model_end
  .balign 64
face_detection_model:
  .incbin "face_detection_short_range.tflite"
face_detection_model_end:
  .byte 0

  .global face_landmark_model
  .global face_landmark_model_end
  .balign 64
face_landmark_model:
  .incbin "face_landmark.tflite"
face_landmark_model_end:
  .byte 0

  .global selfie_segmentation_model
  .global selfie_segmentation_model_end
  .balign 64
selfie_segmentation_model:
  .incbin "selfie_segmentation.tflite"
selfie_segmentation_model_end:
  .byte 0

  .section .note.GNU-stack,"",@progbits
