/// The width and height of a picture in pixels.
struct PictureSize: Sendable, Hashable {
  var width: Int
  var height: Int

  /// One side in so many, at least a pixel.
  func divided(by factor: Int) -> PictureSize {
    PictureSize(width: max(1, width / factor), height: max(1, height / factor))
  }

  func multiplied(by factor: Int) -> PictureSize { PictureSize(width: width * factor, height: height * factor) }
}
