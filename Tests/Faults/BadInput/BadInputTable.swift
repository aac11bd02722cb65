/// What is asked for, and what must come of it. A row a case; `FOLDER` and the files in it are ``PhotoFolder``'s.
enum BadInputTable {
  /// A file that is none, or not ours to read.
  static let files: [BadInput] = [
    .photo("a file that is not there", "missing.jpg", .refused(.invalidImage)),
    .photo("a path through a file", "face.jpg/face.jpg", .refused(.invalidImage)),
    .photo("links that lead in a circle", "circle.jpg", .refused(.invalidImage)),
    .photo("a folder", "folder", .refused(.invalidImage)),
    .photo("a pipe nobody writes to", "pipe.jpg", .refused(.invalidImage)),
    .photo("a device that never ends", "endless", .refused(.invalidImage)),
    .photo("an empty file", "empty.jpg", .refused(.invalidImage)),
    .photo("a file of 8 MB", "eight-megabytes.jpg", .refused(.imageTooLarge)),
    .photo("a path longer than any", String(repeating: "long/", count: 1_000), .invalid("/image/path")),
    .generate("no path", #"{"recipe":"headshot","image":{"path":""}}"#, .invalid("/image/path")),
    .generate(
      "a path with a zero byte", #"{"recipe":"headshot","image":{"path":"FOLDER/a\u0000b"}}"#, .invalid("/image/path")),
    .prepare("a missing file to prepare", "missing.jpg", .refused(.invalidImage)),
    .prepare("a pipe to prepare", "pipe.jpg", .refused(.invalidImage)),
    .prepare("a file of 41 MB to prepare", "forty-one-megabytes.jpg", .refused(.imageTooLarge)),
  ]

  /// A file that only others may read; for a service that is not root's.
  static let unreadable: [BadInput] = [
    .photo("a file without the right to read it", "unreadable.jpg", .refused(.fileAccessDenied)),
    .photo("a file in a folder without the right to enter", "closed/face.jpg", .refused(.fileAccessDenied)),
    .prepare("an unreadable file to prepare", "unreadable.jpg", .refused(.fileAccessDenied)),
    .headshot(
      "an output folder without the right to write", #""output":{"directory":"FOLDER/read-only"}"#,
      .refused(.fileAccessDenied)),
    .headshot(
      "an output folder without the right to enter", #""output":{"directory":"FOLDER/closed/inner"}"#,
      .refused(.fileAccessDenied)),
    .photo("a photo everybody may read", "face.jpg", .works),
  ]

  /// A file with content that will not do.
  static let contents: [BadInput] = [
    .photo("a picture of 30 × 30", "too-small.png", .refused(.invalidDimensions)),
    .photo("a picture of 9000 × 9000", "too-large.png", .refused(.invalidDimensions)),
    .photo("4 KB that claim 2,000,000 × 2,000,000", "bomb.png", .refused(.invalidDimensions)),
    .photo("a JPEG cut in half", "truncated.jpg", .refused(.invalidImage)),
    .photo("a JPEG of its first 20 bytes", "stump.jpg", .refused(.invalidImage)),
    .photo("a PNG with flipped bits", "flipped.png", .refused(.invalidImage)),
    .photo("a HEIC cut in half", "truncated.heic", .refused(.invalidImage)),
    .photo("a text called .jpg", "text.jpg", .refused(.unsupportedImage)),
    .photo("a script called .png", "script.png", .refused(.unsupportedImage)),
    .photo("an SVG", "drawing.svg", .refused(.unsupportedImage)),
    .photo("a PDF", "paper.pdf", .refused(.unsupportedImage)),
    .photo("a GIF", "other.gif", .refused(.unsupportedImage)),
    .photo("a BMP called .jpg", "bmp.jpg", .refused(.unsupportedImage)),
    .photo("zeros", "zeros.jpg", .refused(.unsupportedImage)),
    .photo("a landscape", "landscape.jpg", .refused(.noFaceFound)),
    .photo("two faces alike", "two-faces.jpg", .refused(.severalPeople)),
    .prepare("a bomb to prepare", "bomb.png", .refused(.invalidDimensions)),
    .prepare("a picture of 81 megapixels to prepare", "too-large.png", .refused(.invalidDimensions)),
    .prepare("a cut JPEG to prepare", "truncated.jpg", .refused(.invalidImage)),
    .prepare("a PDF to prepare", "paper.pdf", .refused(.unsupportedImage)),
    .generate(
      "inline data that is text", #"{"recipe":"headshot","image":{"data":"aGVsbG8gd29ybGQ="}}"#,
      .refused(.unsupportedImage)),
    .generate("inline data that is nothing", #"{"recipe":"headshot","image":{"data":""}}"#, .invalid("/image/data")),
    .generate(
      "inline data that is no base64", #"{"recipe":"headshot","image":{"data":"%%%"}}"#, .invalid("/image/data")),
    .generate(
      "inline data cut in the middle", #"{"recipe":"headshot","image":{"data":"aGVsbG8gd29ybG"}}"#,
      .invalid("/image/data")),
  ]

  /// Unusual photos that work.
  static let photographs: [BadInput] = [
    .photo("CMYK", "face-cmyk.jpg", .works),
    .photo("16 bits a channel", "face-sixteen-bit.png", .works),
    .photo("greyscale", "face-grey.jpg", .works),
    .photo("transparency", "face-alpha.png", .works),
    .photo("turned by EXIF", "face-rotated.jpg", .works),
    .photo("a wide gamut", "face-display-p3.jpg", .works),
    .photo("HEIC", "face.heic", .works),
    .photo("AVIF", "face.avif", .works),
    .photo("WebP", "face.webp", .works),
    .photo("a PNG called .txt", "face.txt", .works),
    .photo("a name in four scripts", "ｆａｃｅ 顔 чело 👩‍🚀.jpg", .works),
    .photo("a link to a photo", "link.jpg", .works),
  ]

  /// Where pictures cannot be put.
  static let folders: [BadInput] = [
    .headshot(
      "an output folder that is not there", #""output":{"directory":"FOLDER/missing"}"#, .refused(.fileAccessDenied)),
    .headshot(
      "an output folder that is a file", #""output":{"directory":"FOLDER/face.jpg"}"#, .refused(.fileAccessDenied)),
    .headshot(
      "an output folder below a file", #""output":{"directory":"FOLDER/face.jpg/x"}"#, .refused(.fileAccessDenied)),
    .headshot("an output folder without a name", #""output":{"directory":""}"#, .invalid("/output/directory")),
    .headshot(
      "an output folder in a circle of links", #""output":{"directory":"FOLDER/circle.jpg"}"#,
      .refused(.fileAccessDenied)),
    .headshot("an output folder", #""output":{"directory":"FOLDER/folder"}"#, .works),
  ]

  /// Ids that lead nowhere and choices there are not.
  static let choices: [BadInput] = [
    .generate(
      "an unknown generation", #"{"recipe":"headshot","image":{"generationId":"gen_none"}}"#, .refused(.notFound)),
    .generate(
      "an unknown prepared image", #"{"recipe":"headshot","image":{"preparedId":"prep_none"}}"#, .refused(.notFound)),
    .generate(
      "a photo from two places", #"{"recipe":"headshot","image":{"path":"a","data":"AAAA"}}"#, .invalid("/image")),
    .generate("a photo from nowhere", #"{"recipe":"headshot","image":{}}"#, .invalid("/image")),
    .generate("no photo", #"{"recipe":"headshot"}"#, .refused(.wrongRecipeInput)),
    .generate("no recipe", #"{"image":{"path":"FOLDER/face.jpg"}}"#, .invalid("/recipe")),
    .generate("no params", "{}", .invalid("/recipe")),
    .generate("an unknown recipe", #"{"recipe":"sculpture"}"#, .invalid("/recipe")),
    .generate(
      "a hairstyle of nothing", #"{"recipe":"hairstyle","image":{"path":"FOLDER/face.jpg"}}"#,
      .refused(.wrongRecipeInput)),
    .generate(
      "a hairstyle on the device",
      #"{"recipe":"hairstyle","image":{"path":"FOLDER/face.jpg"},"prompt":"short","provider":"ondevice"}"#,
      .refused(.unsupportedByProvider)),
    .headshot("an angle of 2", #""style":{"angle":2}"#, .invalid("/style/angle")),
    .headshot("an unknown angle", #""style":{"angle":"diagonal"}"#, .invalid("/style/angle")),
    .headshot("an unknown background", #""style":{"background":"beach"}"#, .invalid("/style/background")),
    .headshot("a colour of three digits", ##""style":{"background":"#fff"}"##, .invalid("/style/background")),
    .headshot(
      "a transparent JPEG", #""style":{"background":"transparent"},"output":{"format":"jpeg"}"#,
      .refused(.wrongRecipeInput)),
    .headshot(
      "variations of a flat colour", #""style":{"background":"white"},"output":{"count":2}"#,
      .refused(.unsupportedByProvider)),
    .headshot("an unknown format", #""output":{"format":"gif"}"#, .invalid("/output/format")),
    .headshot("an unknown crop", #""output":{"crop":"selfie"}"#, .invalid("/output/crop")),
    .headshot("a matte in words", #""output":{"matte":"yes"}"#, .invalid("/output/matte")),
    .headshot("a size beyond all", #""output":{"size":"4096"}"#, .refused(.unsupportedByProvider)),
    .headshot("a landscape", #""output":{"aspectRatio":"3:2"}"#, .refused(.unsupportedByProvider)),
    .headshot("a quality of 0", #""output":{"quality":0}"#, .invalid("/output/quality")),
    .headshot("an unknown style", #""style":"heroic""#, .invalid("/style")),
    .headshot("a prompt for a headshot", #""prompt":"younger""#, .refused(.wrongRecipeInput)),
    .headshot("a temperature for a headshot", #""temperature":0.5"#, .refused(.wrongRecipeInput)),
    .headshot("an unknown provider", #""provider":"nobody""#, .refused(.unsupportedByProvider)),
    .headshot("an unknown model", #""model":"portrait-999""#, .refused(.unsupportedByProvider)),
    .headshot("several angles of a headshot", #""output":{"mode":"multiAngle"}"#, .refused(.wrongRecipeInput)),
    .headshot("a private picture that goes nowhere", #""private":true"#, .refused(.wrongRecipeInput)),
    .ask("a cancel of nothing", "cancel", #"{"generationId":"gen_none"}"#, .refused(.notFound)),
    .ask("a status of nothing", "status", #"{"idempotencyKey":"none"}"#, .refused(.notFound)),
    .ask("an entry that is not there", "history/get", #"{"generationId":"gen_none"}"#, .refused(.notFound)),
    .ask("a deletion of nothing", "history/delete", #"{"generationId":"gen_none"}"#, .refused(.notFound)),
    .ask("a page after no page", "history", #"{"cursor":"garbage"}"#, .invalid("/cursor")),
  ]

  /// Every member of `generate` with a value of the wrong type or out of range, and the other methods' too.
  static let types: [BadInput] = [
    .headshot("an unknown member", #""colour":"red""#, .invalid("/colour")),
    .headshot("an unknown member of a member", #""style":{"angel":0}"#, .invalid("/style/angel")),
    .generate("recipe", #"{"recipe":5}"#, .invalid("/recipe")),
    .generate("image", #"{"recipe":"headshot","image":"face.jpg"}"#, .invalid("/image")),
    .generate("image.path", #"{"recipe":"headshot","image":{"path":7}}"#, .invalid("/image/path")),
    .generate("image.data", #"{"recipe":"headshot","image":{"data":[1,2]}}"#, .invalid("/image/data")),
    .generate(
      "image.mimeType", #"{"recipe":"headshot","image":{"data":"AAAA","mimeType":1}}"#, .invalid("/image/mimeType")),
    .generate(
      "image.generationId", #"{"recipe":"headshot","image":{"generationId":1}}"#, .invalid("/image/generationId")),
    .generate(
      "image.index", #"{"recipe":"headshot","image":{"generationId":"gen_1","index":-1}}"#, .invalid("/image/index")),
    .generate("image.preparedId", #"{"recipe":"headshot","image":{"preparedId":true}}"#, .invalid("/image/preparedId")),
    .headshot("references", #""references":{}"#, .invalid("/references")),
    .headshot(
      "too many references", #""references":[{"path":"a"},{"path":"b"},{"path":"c"}]"#, .invalid("/references")),
    .headshot("prompt", #""prompt":["a"]"#, .invalid("/prompt")),
    .headshot("style", #""style":[]"#, .invalid("/style")),
    .headshot("style.angle", #""style":{"angle":true}"#, .invalid("/style/angle")),
    .headshot("style.background", #""style":{"background":1}"#, .invalid("/style/background")),
    .headshot("templateId", #""templateId":1"#, .invalid("/templateId")),
    .headshot("output", #""output":"here""#, .invalid("/output")),
    .headshot("output.mode", #""output":{"mode":"double"}"#, .invalid("/output/mode")),
    .headshot("output.count", #""output":{"count":5}"#, .invalid("/output/count")),
    .headshot("output.count that is no integer", #""output":{"count":1.5}"#, .invalid("/output/count")),
    .headshot("output.directory", #""output":{"directory":1}"#, .invalid("/output/directory")),
    .headshot("output.inline", #""output":{"inline":"yes"}"#, .invalid("/output/inline")),
    .headshot("output.aspectRatio", #""output":{"aspectRatio":1}"#, .invalid("/output/aspectRatio")),
    .headshot("output.size", #""output":{"size":1024}"#, .invalid("/output/size")),
    .headshot("provider", #""provider":1"#, .invalid("/provider")),
    .headshot("provider of none", #""provider":[]"#, .invalid("/provider")),
    .headshot("model", #""model":1"#, .invalid("/model")),
    .headshot("temperature", #""temperature":"warm""#, .invalid("/temperature")),
    .headshot("seed", #""seed":"x""#, .invalid("/seed")),
    .headshot("timeoutMs", #""timeoutMs":0"#, .invalid("/timeoutMs")),
    .headshot("account", #""account":5"#, .invalid("/account")),
    .headshot("from", #""from":"gen_1""#, .invalid("/from")),
    .headshot("idempotencyKey", #""idempotencyKey":5"#, .invalid("/idempotencyKey")),
    .headshot("cache", #""cache":"never""#, .invalid("/cache")),
    .headshot("whenOffline", #""whenOffline":"wait""#, .invalid("/whenOffline")),
    .headshot("private", #""private":"yes""#, .invalid("/private")),
    .headshot("detach", #""detach":1"#, .invalid("/detach")),
    .headshot("progress", #""progress":"no""#, .invalid("/progress")),
    .headshot("metadata", #""metadata":[]"#, .invalid("/metadata")),
    .headshot(
      "metadata over 4 KiB", #""metadata":{"a":"\#(String(repeating: "x", count: 4_100))"}"#, .invalid("/metadata")),
    .ask("cancel without a name", "cancel", "{}", .invalid("")),
    .ask("cancel by a number", "cancel", #"{"generationId":5}"#, .invalid("/generationId")),
    .ask("history of too many", "history", #"{"limit":1000}"#, .invalid("/limit")),
    .ask("history since no time", "history", #"{"since":"yesterday"}"#, .invalid("/since")),
    .ask("history in no state", "history", #"{"state":"asleep"}"#, .invalid("/state")),
    .ask("history/get without a name", "history/get", "{}", .invalid("/generationId")),
    .ask("history/delete of what", "history/delete", "{}", .invalid("")),
    .ask("image/prepare without an image", "image/prepare", "{}", .invalid("/image")),
    .ask("image/prepare too small", "image/prepare", #"{"image":{"path":"x"},"longestSide":255}"#, .invalid("/longestSide")),
    .ask(
      "image/prepare too large", "image/prepare", #"{"image":{"path":"x"},"longestSide":4097}"#, .invalid("/longestSide")),
    .ask("image/prepare in words", "image/prepare", #"{"image":{"path":"x"},"longestSide":"4K"}"#, .invalid("/longestSide")),
    .ask("image/prepare inline?", "image/prepare", #"{"image":{"path":"x"},"inline":"yes"}"#, .invalid("/inline")),
    .ask("initialize in another version", "initialize", #"{"protocolVersion":7}"#, .invalid("/protocolVersion")),
  ]
}
