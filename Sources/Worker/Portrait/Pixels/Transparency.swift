import Glibc

/// What a photo with transparency, such as a cut-out person, needs besides its colours.
///
/// Where a photo is transparent, it ends. Its colours there mean nothing, but every resampling mixes neighbours, so the
/// visible colours are continued into it.
extension PhotoRegion {
  /// The region with the visible colours continued under its transparent pixels, and under those that are partly so.
  /// Without any transparent pixel, the region without opacity.
  func withContinuedColours() -> PhotoRegion {
    guard let opacity else { return self }
    guard opacity.pixels.contains(where: { $0 < 255 }) else { return PhotoRegion(image: image, area: area) }
    let visible = opacity.innerPixels(byRim: 0)
    var inner = opacity.innerPixels(byRim: PhotoTuning.Transparency.rim)
    // Something that is thin all over has nothing else to go on with.
    if !inner.contains(true) { inner = visible }
    var levels = [(image: image, trust: opacity.grey(inner))]
    while let last = levels.last, min(last.image.width, last.image.height) > 1 {
      levels.append(Self.halved(last.image, last.trust))
    }
    var continued = levels[levels.count - 1].image
    // What is visible keeps its colours up to the outline.
    levels[0].trust = opacity.grey(visible)
    for level in levels.dropLast().reversed() { continued = Self.filled(level.image, level.trust, from: continued) }
    return PhotoRegion(image: continued, area: area, opacity: opacity)
  }

  /// What the networks are shown: a plain grey under transparent pixels, as nobody wears it all over.
  var seenByNetworks: PixelImage {
    guard let opacity else { return image }
    let pixels = zip(image.pixels, opacity.pixels).map { colour, opacity -> UInt8 in
      let (colour, opacity) = (Int(colour), Int(opacity))
      let sum = colour * opacity + PhotoTuning.Transparency.grey * (255 - opacity)
      return UInt8((sum + 127) / 255)
    }
    return PixelImage(width: image.width, height: image.height, pixels: pixels)
  }

  /// Half the size; each colour is the mean of the trusted ones of four, and trusted if there was one.
  private static func halved(_ image: PixelImage, _ trust: PixelImage) -> (image: PixelImage, trust: PixelImage) {
    var (colours, half) = (image.halved(), trust.halved())
    for y in 0..<half.height {
      for x in 0..<half.width {
        let at = (y * half.width + x) * 3
        guard half.pixels[at] > 0, half.pixels[at] < 255 else { continue }
        let upper = (2 * y * image.width + 2 * x) * 3
        let places = [upper, upper + 3, upper + image.width * 3, upper + image.width * 3 + 3]
          .filter { trust.pixels[$0] > 0 }
        for band in 0..<3 {
          let sum = places.reduce(0) { $0 + Int(image.pixels[$1 + band]) }
          colours.pixels[at + band] = UInt8((sum + places.count / 2) / max(1, places.count))
          half.pixels[at + band] = 255
        }
      }
    }
    return (colours, half)
  }

  /// The image with the colours of one of half the size where its own are not trusted.
  private static func filled(_ image: PixelImage, _ trust: PixelImage, from half: PixelImage) -> PixelImage {
    var result = image
    /// The lines of half the size between which a line lies, the nearer one first, which counts three times.
    func nearest(_ line: Int, _ length: Int) -> (near: Int, far: Int) {
      let near = min(length - 1, line / 2)
      return (near, max(0, min(length - 1, line % 2 == 0 ? near - 1 : near + 1)))
    }
    for y in 0..<image.height {
      for x in 0..<image.width {
        let at = (y * image.width + x) * 3
        guard trust.pixels[at] == 0 else { continue }
        let (columns, rows) = (nearest(x, half.width), nearest(y, half.height))
        for band in 0..<3 {
          func sum(_ row: Int) -> Int {
            3 * Int(half.pixels[(row * half.width + columns.near) * 3 + band])
              + Int(half.pixels[(row * half.width + columns.far) * 3 + band])
          }
          result.pixels[at + band] = UInt8((3 * sum(rows.near) + sum(rows.far) + 8) / 16)
        }
      }
    }
    return result
  }
}

extension PixelImage {
  /// Which pixels of an opacity have colours that can be trusted, without those up to `rim` pixels inside their outline.
  func innerPixels(byRim rim: Int) -> [Bool] {
    let least = PhotoTuning.Transparency.trustedOpacity
    return Morphology.eroded((0..<width * height).map { pixels[$0 * 3] >= least }, width, height, by: rim)
  }

  /// A picture of the same size, white where a pixel is chosen and black elsewhere.
  fileprivate func grey(_ chosen: [Bool]) -> PixelImage {
    PixelImage(width: width, height: height, pixels: chosen.flatMap { [UInt8](repeating: $0 ? 255 : 0, count: 3) })
  }
}

/// Which part of a square is transparent, and what that means.
struct Transparency {
  /// How opaque the photo is, 0…1.
  let opacity: Plane<Float>

  /// Nil for a photo without transparency.
  init?(of square: CropSquare, in region: PhotoRegion, size: Int) {
    guard let source = region.opacity else { return nil }
    let image = CropResampler.image(of: square, in: source, size: size)
    let values = (0..<size * size).map { Float(image.pixels[$0 * 3]) / 255 }
    opacity = Plane(width: size, height: size, values: values)
  }

  init(opacity: Plane<Float>) { self.opacity = opacity }

  /// Whether each pixel is more visible than not.
  var isVisible: [Bool] { opacity.values.map { $0 > 0.5 } }

  /// Whether somebody has cut out the person already: nearly all that is visible is the person, also along the edge. The
  /// round frame of a profile picture, in contrast, mostly borders on background.
  /// - Parameters:
  ///   - person: what the networks say, 0…1, of the same size.
  ///   - valid: whether the picture has the pixel at all.
  func isCutOut(person: Plane<Float>, valid: [Bool]) -> Bool {
    let (width, height) = (opacity.width, opacity.height)
    let isShown = zip(isVisible, valid).map { $0 && $1 }
    let isHidden = zip(isVisible, valid).map { !$0 && $1 }
    guard isHidden.contains(true) else { return false }
    // The networks are unsure directly at an edge, so a band of it is looked at.
    let near = Morphology.dilated(isHidden, width, height, by: width / PhotoTuning.Transparency.edge)
    func share(_ pixels: [Bool]) -> Double {
      let count = pixels.reduce(0) { $0 + ($1 ? 1 : 0) }
      let people = zip(pixels, person.values).reduce(0) { $0 + ($1.0 && $1.1 > 0.5 ? 1 : 0) }
      return count == 0 ? 0 : Double(people) / Double(count)
    }
    let edge = zip(isShown, near).map { $0 && $1 }
    let least = PhotoTuning.Transparency.cutOutShare
    return share(isShown) >= least.visible && share(edge) >= least.edge
  }

  /// Where there is a photo: what is visible of it. The edge of a cut-out is the person's, not the photo's, except at the
  /// lower end, where the body goes on.
  func photo(_ valid: [Bool], isCutOut: Bool) -> [Bool] {
    let isVisible = isVisible
    guard isCutOut else { return zip(valid, isVisible).map { $0 && $1 } }
    let end = isVisible.lastIndex(of: true).map { ($0 / opacity.width + 1) * opacity.width } ?? 0
    return valid.indices.map { valid[$0] && $0 < end }
  }

  /// The matte of a cut-out, which is its opacity; its colours are the person's alone.
  func cutOut(_ image: Plane<Colour>, valid: [Bool]) -> Matte {
    // Beyond the photo's edge, the opacity is only a repetition.
    let opacity = Plane(
      width: opacity.width, height: opacity.height, values: zip(opacity.values, valid).map { $1 ? $0 : 0 })
    return Matte(
      coefficients: opacity.map(Self.coefficients),
      looseness: Plane(width: opacity.width, height: opacity.height, repeating: EdgeCurve.proportional), opacity: opacity,
      layers: LayerEstimator.Layers(foreground: image, background: image))
  }

  /// The matte, nowhere more opaque than the photo.
  func limited(_ matte: Matte) -> Matte {
    var result = matte
    for index in opacity.values.indices where opacity.values[index] < matte.opacity.values[index] {
      result.opacity.values[index] = opacity.values[index]
      result.coefficients.values[index] = Self.coefficients(opacity.values[index])
      result.looseness.values[index] = EdgeCurve.proportional
    }
    return result
  }

  /// The coefficients of an opacity that does not depend on the colour.
  private static func coefficients(_ opacity: Float) -> Colour {
    Colour(0, 0, 0, EdgeCurve.value(ofProportional: opacity))
  }
}
