import Testing

@testable import atelier_imaging

@Suite("What decoders note")
struct DecoderNotesTests {
  @Test("decoder notes tell of damage when pixels are missing or made up, in whatever line", arguments: [
    "VipsJpeg: Corrupt JPEG data: premature end of data segment", "VipsJpeg: Premature end of JPEG file",
    "VipsJpeg: Corrupt JPEG data: bad Huffman code", "vipspng: libpng read error", "pngload: out of data",
    "webp2vips: unable to read pixels", "VipsJpeg: Corrupt JPEG data: found marker 0xd9 instead of RST4",
    "heif: Invalid input: Unspecified: truncated",
  ])
  func damage(line: String) {
    #expect(DecoderNotes(line).indicateDamage)
    #expect(DecoderNotes("VipsJpeg: bad EXIF data\n\(line.uppercased())\n").indicateDamage)
  }

  @Test("decoder notes tell of nothing when the file is only untidy", arguments: [
    "", "\n", "VipsJpeg: Corrupt JPEG data: 2 extraneous bytes before marker 0xd9",
    "vipspng: iCCP: known incorrect sRGB profile", "vips2png: corrupt ICC profile", "VipsJpeg: error in EXIF data",
    "VipsJpeg: Invalid SOS parameters for sequential JPEG: unexpected",
  ])
  func untidy(line: String) {
    #expect(!DecoderNotes(line).indicateDamage)
  }
}
