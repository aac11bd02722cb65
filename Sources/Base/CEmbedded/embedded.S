/* Files as bytes of read-only sections: nothing to install, nothing to look for at run time. Each has a section of its own
   and hidden names, so that an executable keeps only those that it uses. Build systems do not see what .incbin reads, so touch this file
   after changing one; tests compare what is embedded with the files. `make schema` changes these lines with its documents:
   openrpc.json SHA-256: 35eb3d319ba2d0369421e9e09de9624b5838b752761eb68ffe64bf25e9aa7464
   schema.json SHA-256: 7f81c4a84d31c0665fb49f5f8cb314287c6a9afcb173ef9896dc94e4a4d96ea1 */
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
