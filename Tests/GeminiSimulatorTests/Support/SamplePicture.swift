@testable import GeminiSimulator

/// Small real pictures to send.
enum SamplePicture {
  static let png = make(64, 36).png()
  static let jpeg = make(64, 36).jpeg()
  static let webp = make(64, 36).webp()

  static func make(_ width: Int, _ height: Int) -> Picture {
    Picture(marker: PictureMarker(prompt: "sample", request: 0), size: PictureSize(width: width, height: height))
  }
}
