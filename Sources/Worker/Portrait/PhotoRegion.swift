/// A part of an upright photo, at any scale.
public struct PhotoRegion: Sendable, Equatable {
  public var image: PixelImage
  /// What the image shows, in pixels of the whole photo: exact to parts of a pixel, so that nothing moves when a decoder
  /// rounds.
  public var area: Rectangle
  /// How opaque each pixel is: a grey picture with the sides of the image. Nil for a photo without transparency. The
  /// image's colours are not premultiplied.
  public var opacity: PixelImage?

  public init(image: PixelImage, area: Rectangle, opacity: PixelImage? = nil) {
    self.image = image
    self.area = area
    self.opacity = opacity
  }

  /// Whether the image is well formed and shows this part of the photo. A decoder may round by a few pixels.
  func shows(_ part: PixelRectangle) -> Bool {
    let part = Rectangle(part)
    let differences = [
      area.x - part.x, area.y - part.y, area.x + area.width - part.x - part.width,
      area.y + area.height - part.y - part.height,
    ]
    if let opacity, !opacity.isWellFormed || opacity.width != image.width || opacity.height != image.height { return false }
    return image.isWellFormed && area.width > 0 && area.height > 0 && differences.allSatisfy { abs($0) <= 8 }
  }

  private var scale: (across: Double, down: Double) {
    (Double(image.width) / area.width, Double(image.height) / area.height)
  }

  /// A box of the photo in pixels of the image.
  func placed(_ box: Rectangle) -> Rectangle {
    let (across, down) = scale
    return Rectangle(
      x: (box.x - area.x) * across, y: (box.y - area.y) * down, width: box.width * across, height: box.height * down)
  }

  /// A square of the photo in pixels of the image.
  func placed(_ square: CropSquare) -> CropSquare {
    let (across, down) = scale
    return CropSquare(
      centre: Point(x: (square.centre.x - area.x) * across, y: (square.centre.y - area.y) * down),
      side: square.side * (across * down).squareRoot(), rotation: square.rotation)
  }

  /// A square of the image in pixels of the photo.
  func inPhoto(_ square: CropSquare) -> CropSquare {
    let (across, down) = scale
    return CropSquare(
      centre: Point(x: square.centre.x / across + area.x, y: square.centre.y / down + area.y),
      side: square.side / (across * down).squareRoot(), rotation: square.rotation)
  }

  /// The region with less than two pixels for each of a square of `size` pixels, so that the resampling's filter stays
  /// small.
  func reduced(for square: CropSquare, size: Int) -> PhotoRegion {
    var region = self
    while region.placed(square).side >= 2 * Double(size) {
      let half = region.image.halved()
      // What odd sides lose.
      region.area.width *= Double(half.width * 2) / Double(region.image.width)
      region.area.height *= Double(half.height * 2) / Double(region.image.height)
      guard half.width < region.image.width else { break }
      region.image = half
      region.opacity = region.opacity?.halved()
    }
    return region
  }
}
