/* The files of clients/web/pages as bytes of the executable: nothing to install, nothing to look for at run time. Build
   systems do not see what .incbin reads, so touch this file after changing one; a test compares what is embedded with the
   files. */
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

  page "after-pause.js"
  page "api.js"
  page "app.js"
  page "camera.js"
  page "components/angle-field.js"
  page "components/before-after.js"
  page "components/chain.js"
  page "components/credit-ring.js"
  page "components/error-box.js"
  page "components/estimate.js"
  page "components/hairstyle-library.js"
  page "components/history-row.js"
  page "components/key-form.js"
  page "components/maker.js"
  page "components/offline-queue.js"
  page "components/own-data.js"
  page "components/phases.js"
  page "components/picture.js"
  page "components/pills.js"
  page "components/places-map.js"
  page "components/progress-bar.js"
  page "components/provider-list.js"
  page "components/rating.js"
  page "components/reference-pictures.js"
  page "components/removing.js"
  page "components/session-list.js"
  page "components/shears.js"
  page "components/sheet.js"
  page "components/shop.js"
  page "components/toast.js"
  page "components/usage.js"
  page "components/zoom-view.js"
  page "dom.js"
  page "icon.svg"
  page "index.html"
  page "navigation.js"
  page "photo.js"
  page "pictures/photo.jpg"
  page "pictures/portrait.jpg"
  page "places-files.js"
  page "providers.js"
  page "router.js"
  page "screens/capture.css"
  page "screens/capture.js"
  page "screens/error-page.js"
  page "screens/haircut.css"
  page "screens/haircut.js"
  page "screens/history.css"
  page "screens/history.js"
  page "screens/making.css"
  page "screens/making.js"
  page "screens/not-found.js"
  page "screens/places-result.js"
  page "screens/places.css"
  page "screens/places.js"
  page "screens/preview.js"
  page "screens/profile.css"
  page "screens/profile.js"
  page "screens/result-actions.js"
  page "screens/result-refine.js"
  page "screens/result-sheet.js"
  page "screens/result.css"
  page "screens/result.js"
  page "screens/settings.css"
  page "screens/settings.js"
  page "screens/start.css"
  page "screens/start.js"
  page "screens/style-background.js"
  page "screens/style-passport.js"
  page "screens/style.css"
  page "screens/style.js"
  page "sending.js"
  page "sign-in.js"
  page "state.js"
  page "style.css"
  page "watching.js"
  page "words.js"
  page "words/de.json"
  page "words/en.json"
  page "words/es-MX.json"
  page "words/hi.json"
  page "words/ja.json"
  page "words/zh-Hans.json"

  .section .data.rel.ro.web_pages, "aw", @progbits
web_pages_end:

  .section .note.GNU-stack,"",@progbits
