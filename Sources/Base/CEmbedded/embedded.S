/* Files as bytes of read-only sections: nothing to install, nothing to look for at run time. Each has a section of its own
   and hidden names, so that an executable keeps only those that it uses. Build systems do not see what .incbin reads, so touch this file
   after changing one; tests compare what is embedded with the files. `make schema` changes these lines with its documents:
   openrpc.json SHA-256: b22e9f6408c79c38845c851807f199aa02bd9159237894b21e4645184661e348
   schema.json SHA-256: 3666009086332a5a067ca92734f33d04b5ae1f15ef43b91fe2cced0aec6e5fbc */
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
  embed selfie_segmentation, selfie_segmentation.tflite

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
