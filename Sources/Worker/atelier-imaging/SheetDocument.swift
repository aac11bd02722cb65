import Imaging

/// A PDF of one page with copies of one JPEG, whose bytes are in it as they are (ISO 32000-1).
struct SheetDocument {
  var jpeg: [UInt8]
  /// The sides of the JPEG in pixels.
  var width: Int
  var height: Int
  /// The ICC profile of its colours; empty for none.
  var profile: [UInt8]
  var layout: SheetLayout
  var hasCuttingLines: Bool

  private static let pointsPerMillimetre = 72 / 25.4

  var file: [UInt8] {
    let page = [layout.paper.width, layout.paper.height].map(Self.points).joined(separator: " ")
    var objects: [[UInt8]] = [
      // Programs that print are asked not to scale.
      Self.text("<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>"),
      Self.text("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
      Self.text(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(page)] "
          + "/Resources << /XObject << /Photo 5 0 R >> >> /Contents 4 0 R >>"),
      Self.stream("", Self.text(drawing)),
      Self.stream(
        "/Type /XObject /Subtype /Image /Width \(width) /Height \(height) /BitsPerComponent 8 "
          + "/ColorSpace \(profile.isEmpty ? "/DeviceRGB" : "[/ICCBased 6 0 R]") /Filter /DCTDecode ", jpeg),
    ]
    if !profile.isEmpty { objects.append(Self.stream("/N 3 /Alternate /DeviceRGB ", profile)) }
    return Self.file(objects)
  }

  /// Lines first, so that no copy is drawn over, except where copies touch.
  private var drawing: String {
    func drawn(_ rectangles: [SheetLayout.Rectangle]) -> [String] {
      guard hasCuttingLines, !rectangles.isEmpty else { return [] }
      return ["0 g"] + rectangles.map { line in
        let numbers = [line.x, line.y, line.width, line.height].map(Self.points)
        return "\(numbers.joined(separator: " ")) re f"
      }
    }
    var lines = drawn(layout.cuttingLines)
    let (width, height) = (Self.points(layout.photo.width), Self.points(layout.photo.height))
    lines += layout.corners.map { "q \(width) 0 0 \(height) \(Self.points($0.x)) \(Self.points($0.y)) cm /Photo Do Q" }
    lines += drawn(layout.innerCuttingLines)
    return lines.joined(separator: "\n")
  }

  /// A length in points with four decimals, which is exact to a thousandth of a pixel.
  static func points(_ millimetres: Double) -> String {
    let parts = Int((millimetres * pointsPerMillimetre * 10_000).rounded())
    let fraction = String(abs(parts) % 10_000)
    let zeros = String(repeating: "0", count: 4 - fraction.count)
    return "\(parts < 0 ? "-" : "")\(abs(parts) / 10_000).\(zeros)\(fraction)"
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func stream(_ entries: String, _ bytes: [UInt8]) -> [UInt8] {
    text("<< \(entries)/Length \(bytes.count) >>\nstream\n") + bytes + text("\nendstream")
  }

  /// The header, the objects with their numbers, and the table that says where each of them begins.
  private static func file(_ objects: [[UInt8]]) -> [UInt8] {
    // Bytes above 127 say that the file is not text.
    var file = text("%PDF-1.4\n%") + [0xe2, 0xe3, 0xcf, 0xd3, 0x0a]
    var table = "0000000000 65535 f \n"
    for (index, object) in objects.enumerated() {
      let position = String(file.count)
      table += String(repeating: "0", count: max(0, 10 - position.count)) + position + " 00000 n \n"
      file += text("\(index + 1) 0 obj\n") + object + text("\nendobj\n")
    }
    let start = file.count
    let size = objects.count + 1
    return file + text(
      "xref\n0 \(size)\n\(table)trailer\n<< /Size \(size) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n")
  }
}
