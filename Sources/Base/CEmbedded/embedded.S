/* Files as bytes of read-only sections: nothing to install, nothing to look for at run time. Each has a section of its own
   and hidden names, so that an executable keeps only those that it uses. Build systems do not see what .incbin reads, so touch this file
   after changing one; tests compare what is embedded with the files. `make schema` changes these lines with its documents:
   openrpc.json SHA-256: ac0b09275ce3e7defc3ff98c7e80fd97fbee3de10323a04df7d3a954b2d447a4
   schema.json SHA-256: 1c25a858aba76b2ee37930cbcefa4143d0931593b6b3fcfc86414e0cfc4eb36f */
.macro embed name, file
  .section .rodata.embedded_\name, "a", @progbits
  .hidden embedded_\name\()_begin, embedded_\name\()_end
  .global embedded_\name\()_begin
  .global embedded_\name\()_end
  .balign 64
embedded_\name\()_begin:
  .incbin "\file"
embedded_\name\()_end:
  .byte 0
.endm

  embed face_detection, face_detection_short_range.tflite
  embed face_landmark, face_landmark.tflite
  embed pose_segmentation, pose_segmentation.tflite
  embed selfie_segmentation, selfie_segmentation.tflite
  embed u2netp, u2netp.tflite

  embed picture_heic, telephone.heic
  embed picture_avif, plain.avif

  embed hairstyles_short, short.json
  embed hairstyles_medium, medium.json
  embed hairstyles_long, long.json
  embed hairstyles_curly, curly.json
  embed hairstyles_updo, updo.json
  embed hairstyles_braids, braids.json
  embed hairstyles_color, color.json
  embed hairstyles_trendy, trendy.json
  embed hairstyles_beard, beard.json

  embed language_de, de.json
  embed language_es, es.json
  embed language_hi, hi.json
  embed language_ja, ja.json
  embed language_zh, zh.json

  embed openrpc, openrpc.json
  embed schema, schema.json

  .section .note.GNU-stack,"",@progbits
