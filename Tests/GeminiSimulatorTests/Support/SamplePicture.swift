import Foundation

@testable import GeminiSimulator

/// Small real pictures to send, which another program than the simulator has written.
enum SamplePicture {
  /// 64 × 36.
  static let png = read("wide.png")
  static let jpeg = read("wide.jpg")
  static let webp = read("wide.webp")
  /// 65 × 36.
  static let otherPNG = read("other.png")

  private static func read(_ name: String) -> [UInt8] {
    let file = PythonPackage.project.appendingPathComponent("Tests/Fixtures/simulator/\(name)")
    return (try? Data(contentsOf: file)).map(Array.init) ?? []
  }

  /// One that the simulator makes.
  static func make(
    _ width: Int, _ height: Int, _ format: PictureEncoding = .png, byteCount: Int? = nil,
    marker: PictureMarker = PictureMarker(prompt: "sample", request: 0)
  ) -> Picture {
    Picture(marker: marker, size: PictureSize(width: width, height: height), format: format, byteCount: byteCount)
  }
}
