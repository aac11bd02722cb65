/// Makes headshots: finds the face, plans which pixels it needs, and makes the finished picture from them.
///
/// It holds the three networks and their memory, about 20 MB. Do not use it from two tasks at once: each worker has its
/// own.
///
/// ```swift
/// let studio = try Studio()
/// let face = try studio.locateFace(in: overview)
/// let plan = try studio.plan(for: face, photoWidth: photo.width, photoHeight: photo.height)
/// let headshot = try studio.headshot(region: cut(photo, plan), plan: plan, options: options)
/// ```
public final class Studio {
  private let locator: FaceLocator
  private let segmenter: PersonSegmenter

  /// Loads the embedded networks and checks their SHA-256.
  /// - Throws: ``PortraitError/modelsUnusable(_:)``.
  public init() throws(PortraitError) {
    locator = try FaceLocator()
    segmenter = try PersonSegmenter()
  }

  /// Finds the main face of the photo.
  /// - Parameter overview: the whole photo, upright, sRGB; 1280 pixels on the longer side are plenty.
  /// - Throws: ``PortraitError/noFace``, ``PortraitError/severalFaces(count:)``, ``PortraitError/faceCutOff``,
  ///   ``PortraitError/malformedImage``.
  public func locateFace(in overview: PixelImage) throws(PortraitError) -> FaceLocation {
    guard overview.isWellFormed else { throw .malformedImage }
    return try locator.locate(in: overview)
  }

  /// Plans which part of the photo the headshot needs, and how far it can be scaled down.
  /// - Parameters:
  ///   - photoWidth: of the upright photo in full, in pixels.
  ///   - photoHeight: likewise.
  /// - Throws: ``PortraitError/faceTooSmall(pixels:)``; ``PortraitError/noFace`` when the location can be no face;
  ///   ``PortraitError/malformedImage`` for sides that are not positive.
  public func plan(
    for face: FaceLocation, photoWidth: Int, photoHeight: Int
  ) throws(PortraitError) -> HeadshotPlan {
    try CropPlanner.plan(for: face, photoWidth: photoWidth, photoHeight: photoHeight)
  }

  /// Makes the headshot. The same input always gives the same bytes.
  /// - Parameters:
  ///   - region: the photo's ``HeadshotPlan/region``, scaled to the plan's size.
  ///   - progress: called between stages with the part done, 0…1; what it throws ends the work and is thrown on,
  ///     so a caller that wants to stop throws ``PortraitError/cancelled``.
  /// - Throws: ``PortraitError/malformedImage``, ``PortraitError/cannotTurnHead(asked:found:)``, and what
  ///   `progress` throws.
  public func headshot(
    region: PixelImage, plan: HeadshotPlan, options: HeadshotOptions,
    progress: (HeadshotStage, Double) throws(PortraitError) -> Void = { _, _ in }
  ) throws(PortraitError) -> Headshot {
    let composition = try composition(region: region, plan: plan, options: options, progress: progress)
    return Headshot(image: composition.image, warnings: composition.warnings)
  }

  /// As ``headshot(region:plan:options:progress:)``, with the matte.
  func composition(
    region: PixelImage, plan: HeadshotPlan, options: HeadshotOptions,
    progress: (HeadshotStage, Double) throws(PortraitError) -> Void = { _, _ in }
  ) throws(PortraitError) -> HeadshotMaker.Composition {
    guard region.isWellFormed, region.width == plan.scaledWidth, region.height == plan.scaledHeight else {
      throw .malformedImage
    }
    if let asked = options.angle { try HeadPose.check(found: plan.face.yaw, asked: asked) }
    var composition = try HeadshotMaker(segmenter: segmenter, plan: plan, options: options).composition(
      of: region, progress: progress)
    if options.angle == nil, !HeadPose.isFrontal(plan.face.yaw) {
      composition.warnings.append(.angleAsPhotographed(plan.face.yaw))
    }
    return composition
  }
}

/// Composes the person, with corrected light, and the background.
struct Compositor {
  let crop: PixelImage
  let matte: Matte
  let background: Plane<Colour>
  let tone: ToneCurve
  /// The amplitude of the background's grain, of 255.
  let grain: Float

  func composed() -> PixelImage {
    let (width, height) = (crop.width, crop.height)
    var pixels = [UInt8](repeating: 0, count: width * height * 3)
    let matteColumns = Interpolation.lines(from: matte.opacity.width, to: width)
    let matteRows = Interpolation.lines(from: matte.opacity.height, to: height)
    let backgroundColumns = Interpolation.lines(from: background.width, to: width)
    let backgroundRows = Interpolation.lines(from: background.height, to: height)
    var coefficients = [Colour](repeating: .zero, count: width)
    var front = coefficients
    var back = coefficients
    var behind = coefficients
    for y in 0..<height {
      matte.coefficients.interpolatedRow(matteRows[y], matteColumns, into: &coefficients)
      matte.layers.foreground.interpolatedRow(matteRows[y], matteColumns, into: &front)
      matte.layers.background.interpolatedRow(matteRows[y], matteColumns, into: &back)
      background.interpolatedRow(backgroundRows[y], backgroundColumns, into: &behind)
      for x in 0..<width {
        let at = (y * width + x) * 3
        let image = Colour(Float(crop.pixels[at]), Float(crop.pixels[at + 1]), Float(crop.pixels[at + 2]), 0) / 255
        let alpha = MatteBuilder.settled(GuidedFilter.value(of: coefficients[x], at: image))
        var colour = behind[x] + Noise.triangle(x, y) * grain / 255
        if alpha > 0.996 {
          colour = toned(image)
        } else if alpha > 0.004 {
          let error = image - front[x] * alpha - back[x] * (1 - alpha)
          let person = toned((front[x] + error * alpha).clamped(lowerBound: .zero, upperBound: .one))
          colour = person * alpha + colour * (1 - alpha)
        }
        let bytes = (colour * 255 + 0.5).clamped(lowerBound: .zero, upperBound: Colour(repeating: 255))
        pixels[at] = UInt8(bytes.x)
        pixels[at + 1] = UInt8(bytes.y)
        pixels[at + 2] = UInt8(bytes.z)
      }
    }
    return PixelImage(width: width, height: height, pixels: pixels)
  }

  @inline(__always)
  private func toned(_ colour: Colour) -> Colour {
    func look(_ table: [Float], _ value: Float) -> Float {
      let place = value * 255
      let low = min(254, Int(place))
      return table[low] + (table[low + 1] - table[low]) * (place - Float(low))
    }
    return Colour(look(tone.red, colour.x), look(tone.green, colour.y), look(tone.blue, colour.z), 0)
  }
}

/// Unsharp masking of the brightness only, so that edges get no coloured rims.
enum Sharpener {
  /// - Parameters:
  ///   - amount: how much of the fine detail is added once more.
  ///   - limit: the most a pixel may change, of 255; keeps hard edges from ringing.
  static func sharpened(_ image: PixelImage, amount: Float, limit: Float) -> PixelImage {
    let (width, height) = (image.width, image.height)
    guard width > 4, height > 4 else { return image }
    var luma = [Float](repeating: 0, count: width * height)
    for index in luma.indices {
      let at = index * 3
      luma[index] =
        Float(image.pixels[at]) * 0.2126 + Float(image.pixels[at + 1]) * 0.7152 + Float(image.pixels[at + 2]) * 0.0722
    }
    var result = image
    var row = [Float](repeating: 0, count: width)
    for y in 0..<height {
      let lines = (-2...2).map { max(0, min(height - 1, y + $0)) * width }
      for x in 0..<width {
        let outer = luma[lines[0] + x] + luma[lines[4] + x]
        row[x] = (outer + 4 * (luma[lines[1] + x] + luma[lines[3] + x]) + 6 * luma[lines[2] + x]) / 16
      }
      for x in 0..<width {
        let (a, b, d, e) = (max(0, x - 2), max(0, x - 1), min(width - 1, x + 1), min(width - 1, x + 2))
        let blurred = (row[a] + row[e] + 4 * (row[b] + row[d]) + 6 * row[x]) / 16
        let detail = (luma[y * width + x] - blurred) * amount
        let change = max(-limit, min(limit, detail))
        let at = (y * width + x) * 3
        for channel in 0..<3 {
          result.pixels[at + channel] = UInt8(max(0, min(255, Float(image.pixels[at + channel]) + change + 0.5)))
        }
      }
    }
    return result
  }
}
