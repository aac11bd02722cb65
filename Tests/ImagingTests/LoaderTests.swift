import CVips
import Testing

@Suite("What libvips may read", .serialized)
struct LoaderTests {
  init() { _ = Pixels.started }

  @Test("libvips can read the formats that the worker takes", arguments: ["jpeg", "png", "webp"])
  func allowed(format: String) {
    #expect(cvips_has_operation("\(format)load_buffer"))
  }

  /// Every other loader libvips 8.14 to 8.17 can be built with, those its authors call unsafe first.
  static let others = [
    "magickload", "pdfload", "svgload", "openslideload", "openexrload", "fitsload", "niftiload", "matload", "jp2kload",
    "analyzeload", "csvload", "matrixload", "rawload", "vipsload", "ppmload", "radload", "gifload", "nsgifload",
    "tiffload", "jxlload", "dcrawload", "uhdrload",
  ].flatMap { [$0, "\($0)_buffer", "\($0)_source"] }

  @Test("no other loader of libvips is usable, whatever it was built with", arguments: others)
  func blocked(loader: String) {
    #expect(!cvips_has_operation(loader))
  }
}
