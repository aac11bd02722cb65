/// Makes the finished picture from the planned region.
struct HeadshotMaker {
  /// A backdrop is dimmed for a person in dim light, but not below this part.
  static let dimmestBackdrop = 0.55
  /// The side of the field that is examined to choose the square, in sides of the ideal square.
  static let field = 1.3

  let segmenter: PersonSegmenter
  let plan: HeadshotPlan
  let options: HeadshotOptions

  /// A finished picture with the matte it was composed by, which the regression tests look at.
  struct Composition {
    var image: PixelImage
    /// The part of the person in each pixel, 0…255.
    var opacity: [UInt8]
    var matte: Matte
    var warnings: [PortraitWarning]
  }

  func composition(
    of region: PhotoRegion, progress: (HeadshotStage, Double) throws(PortraitError) -> Void
  ) throws(PortraitError) -> Composition {
    try progress(.cropping, 0)
    let region = region.withContinuedColours()
    let placed = region.reduced(for: plan.square, size: CropPlanner.headshotSize)
    let sampler = Sampler(image: placed.seenByNetworks)
    let (square, fitting, isCutOut) = try fittedSquare(in: sampler, placed)
    let crop = crop(square, of: placed)

    try progress(.segmenting, 0.15)
    let views = try segmenter.masks(
      of: square, in: sampler, views: [(1.0, 1), (1.25, 1), (0.8, 1)], size: MatteBuilder.size)
    let mask = ThickDoubt.settled(mean: views.mean, widest: views.widest, face: faces(in: square, placed).wanted)

    try progress(.matting, 0.45)
    let small = Self.half(crop)
    let transparency = Transparency(of: square, in: placed, size: MatteBuilder.size)
    var valid = Self.validity(square, in: placed.image, size: MatteBuilder.size)
    if let transparency, !isCutOut { valid = zip(valid, transparency.isVisible).map { $0 && $1 } }
    let matte: Matte
    if let transparency, isCutOut {
      matte = transparency.cutOut(small, valid: valid)
    } else {
      let found = MatteBuilder.matte(image: small, mask: mask, valid: valid, faces: faces(in: square, placed))
      matte = transparency?.limited(found) ?? found
    }

    try progress(.lighting, 0.7)
    let face = faces(in: square, placed).wanted
    let faceLight = FaceLight(of: small, opacity: matte.opacity, face: face)
    let tone = ToneCurve(for: plan.face.light, face: faceLight)
    try progress(.composing, 0.75)
    // A cut-out has no background of its own that could be shown out of focus.
    let lacksScene = isCutOut && options.background == .casual
    let background = (lacksScene ? withBackdrop : self).background(small, matte, valid)
    let shown = shown(crop, placed.inPhoto(square), region: region)
    let compositor = Compositor(crop: shown, matte: matte, background: background, tone: tone)
    let picture = Sharpener.forFace(ofWidth: plan.faceBox.width, before: options.background.behind)
      .finished(compositor)
    try progress(.finishing, 1)
    var warnings = plan.warnings + fitting + sizeWarnings(picture.image)
    if lacksScene { warnings.append(Self.noBackground) }
    if faceLight?.isTooDark == true { warnings.append(.tooDark) }
    if isOutOfFocus(face, in: small) { warnings.append(.outOfFocus) }
    return Composition(image: picture.image, opacity: picture.opacity, matte: matte, warnings: warnings)
  }

  private static let noBackground = PortraitWarning(
    kind: .noBackground,
    message: "The photo is a cut-out without a background of its own, so the picture has a plain backdrop. "
      + "A photo with its background gives an everyday one.")

  /// The same with a backdrop.
  private var withBackdrop: HeadshotMaker {
    var options = options
    options.background = .professional
    return HeadshotMaker(segmenter: segmenter, plan: plan, options: options)
  }

  /// What the picture shows, at its size: often the crop that the matte was made of.
  /// - Parameter square: in pixels of the photo.
  private func shown(_ crop: PixelImage, _ square: CropSquare, region: PhotoRegion) -> PixelImage {
    let height = plan.shape.height(showing: square.side)
    if plan.shape.aspect == 1, height == crop.height { return crop }
    let placed = region.reduced(for: plan.square, size: height)
    return self.crop(placed.placed(square), of: placed, size: height, columns: plan.shape.columns(ofSquare: height))
  }

  private func sizeWarnings(_ image: PixelImage) -> [PortraitWarning] {
    guard image.height < plan.shape.longestSide else { return [] }
    return [
      PortraitWarning(
        kind: .sizeDiffers,
        message: "The photo shows the person with fewer pixels than were asked for, so the picture has \(image.width) × "
          + "\(image.height) pixels. A photo taken closer, or with a higher resolution, gives a larger picture.")
    ]
  }

  private static let tightCrop = PortraitWarning(
    kind: .tightCrop,
    message: "The photo ends close to the person, so the picture is cropped more tightly than usual. "
      + "A photo with more room around head and shoulders gives a better picture.")

  /// The ideal square in pixels of the region, moved or shrunk if the edge of the photo cuts the person; and what to tell
  /// about it.
  private func fittedSquare(
    in sampler: Sampler, _ region: PhotoRegion
  ) throws(PortraitError) -> (CropSquare, [PortraitWarning], isCutOut: Bool) {
    let ideal = region.placed(plan.square)
    let field = ideal.scaled(by: Self.field)
    let networks = try segmenter.mask(of: field, in: sampler, views: [(1, 1)], size: 256)
    let faces = faces(in: field, region, size: networks.width)
    let mask = faces.withoutOthers(networks)
    var valid = Self.validity(field, in: sampler.image, size: mask.width)
    let transparency = Transparency(of: field, in: region, size: mask.width)
    let isCutOut = transparency?.isCutOut(person: networks, valid: valid) ?? false
    if let transparency { valid = transparency.photo(valid, isCutOut: isCutOut) }
    if plan.shape.placement == .passport {
      let (square, warnings) = passport(ideal, mask, valid, face: faces.wanted)
      return (square, warnings, isCutOut)
    }
    let adjustment = CropFitter(
      person: mask, valid: valid, face: faces.wanted, yaw: plan.face.yaw, field: Self.field, shape: plan.shape
    ).adjustment()
    var square = ideal.adjusted(by: adjustment)
    // The sides of a taller picture are not those of the square.
    if plan.shape.aspect == 1 {
      square = square.snapped(toPhotoOf: Double(region.image.width), Double(region.image.height))
    }
    return (square, adjustment.size < 0.85 ? [Self.tightCrop] : [], isCutOut)
  }

  private func passport(
    _ ideal: CropSquare, _ mask: Plane<Float>, _ valid: [Bool], face: Rectangle
  ) -> (CropSquare, [PortraitWarning]) {
    let size = Double(mask.width)
    let row = PassportGeometry.hairTop(of: mask, face: face)
    let (adjustment, isWhole) = PassportGeometry.adjustment(hairTop: (Double(row) / size - 0.5) * Self.field + 0.5)
    // The picture in pixels of the field.
    let side = adjustment.size / Self.field * size
    let picture = Rectangle(
      x: size / 2 - side * plan.shape.aspect / 2, y: (0.5 + adjustment.down / Self.field) * size - side / 2,
      width: side * plan.shape.aspect, height: side)
    let isCut = PassportGeometry.cut(of: mask, valid: valid, in: picture) > CropFitter.tolerance
    let rest = plan.face.roll - plan.square.rotation
    return (
      ideal.adjusted(by: adjustment),
      PassportRules.warnings(
        roll: rest, yaw: plan.face.yaw, measures: plan.face.measures, isHairWhole: isWhole, isBodyWhole: !isCut)
    )
  }

  /// The faces in pixels of a grid of `size` over `square`.
  func faces(in square: CropSquare, _ region: PhotoRegion, size side: Int = MatteBuilder.size) -> FacesInView {
    let size = Double(side)
    func inGrid(_ box: Rectangle) -> Rectangle {
      let box = region.placed(box)
      let centre = square.position(of: box.centre)
      let (width, height) = (box.width / square.side * size, box.height / square.side * size)
      return Rectangle(x: centre.x * size - width / 2, y: centre.y * size - height / 2, width: width, height: height)
    }
    return FacesInView(wanted: inGrid(plan.faceBox), others: plan.otherBoxes.map(inGrid))
  }

  /// - Returns: nil when there is to be none.
  private func background(_ image: Plane<Colour>, _ matte: Matte, _ valid: [Bool]) -> Plane<Colour>? {
    switch options.background {
    case .transparent: return nil
    case .colour(let red, let green, let blue):
      return Plane(
        width: 1, height: 1, repeating: Colour(Float(red), Float(green), Float(blue), 0) / 255)
    case .professional:
      // As bright as the person's light would make it.
      let light = plan.face.light.bright / PhotoLight.neutral.bright
      return StudioBackdrop.paint(variation: options.variation, size: 256)
        .map { $0 * Float(max(Self.dimmestBackdrop, min(1, 0.35 + 0.65 * light))) }
    case .casual:
      let scene = VisibleBackground.scene(of: image, opacity: matte.opacity, valid: valid)
      // A lens out of focus leaves nothing that an eighth of the picture's size could not hold.
      let premultiplied = scene.map { ($0 * $0.w).replacingLast($0.w) }.halved().halved()
      let small = premultiplied.map { ($0 / max($0.w, 1e-4)).replacingLast($0.w) }
      return SoftFocusBackground.render(small, variation: options.variation)
    }
  }

  /// Half the size, colours 0…1.
  static func half(_ image: PixelImage) -> Plane<Colour> {
    var plane = Plane<Colour>(width: image.width / 2, height: image.height / 2, repeating: .zero)
    image.pixels.withUnsafeBufferPointer { pixels in
      // Inside the picture: both sides of the plane are rounded down.
      func colour(_ at: Int) -> Colour {
        Colour(Float(pixels[at]), Float(pixels[at &+ 1]), Float(pixels[at &+ 2]), 0)
      }
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          let upper = (2 * y * image.width + 2 * x) * 3
          let lower = upper + image.width * 3
          plane.values[y * plane.width + x] =
            (colour(upper) + colour(upper + 3) + colour(lower) + colour(lower + 3)) / 1020
        }
      }
    }
    return plane
  }

  /// Whether each position of a square is inside the picture.
  static func validity(_ square: CropSquare, in image: PixelImage, size: Int) -> [Bool] {
    var result = [Bool](repeating: false, count: size * size)
    let first = square.point(0.5 / Double(size), 0.5 / Double(size))
    let (down, across) = square.directions
    let step = square.side / Double(size)
    for row in 0..<size {
      for column in 0..<size {
        let x = first.x + step * (Double(column) * across.x + Double(row) * down.x)
        let y = first.y + step * (Double(column) * across.y + Double(row) * down.y)
        result[row * size + column] = x >= 0 && y >= 0 && x < Double(image.width) && y < Double(image.height)
      }
    }
    return result
  }
}

/// A finished headshot.
public struct Headshot: Sendable, Equatable {
  /// In the plan's shape and size; smaller if the photo has too few pixels.
  public var image: PixelImage
  /// The part of the person in each pixel, 0…255, row by row: the opacity of a picture without a background, whose
  /// colours are the person's alone and white where it is 0.
  public var opacity: [UInt8]
  /// All warnings for the person, including those found while locating and planning.
  public var warnings: [PortraitWarning]

  public init(image: PixelImage, opacity: [UInt8], warnings: [PortraitWarning]) {
    self.image = image
    self.opacity = opacity
    self.warnings = warnings
  }
}

/// The look of the headshot.
public struct HeadshotOptions: Sendable, Equatable {
  public enum Background: Sendable, Equatable {
    /// A studio backdrop: plain, lit from the front, darker towards the corners.
    case professional
    /// The photo's own background, out of focus.
    case casual
    /// One colour in sRGB.
    case colour(red: UInt8, green: UInt8, blue: UInt8)
    /// None: the opacity says where the person is.
    case transparent

    var behind: Sharpener.Behind {
      switch self {
      case .professional, .casual: .scene
      case .colour: .flat
      case .transparent: .nothing
      }
    }
  }

  public var background: Background
  /// The requested turn of the head, −1…1; negative is towards the viewer's left. The photo must already show it. Nil
  /// keeps the turn of the photo.
  public var angle: Double?
  /// 0…3: the variations of backdrop and light; 0 is the default. Other numbers wrap around.
  public var variation: Int

  public init(background: Background, angle: Double? = nil, variation: Int = 0) {
    self.background = background
    self.angle = angle
    self.variation = variation
  }
}

/// The part of the photo that a headshot needs, and its scale.
///
/// The caller cuts `region` out of the upright photo, at `scale` or larger, and passes it to
/// ``Studio/headshot(region:plan:options:progress:)``.
public struct HeadshotPlan: Sendable, Equatable {
  /// The part that is needed, in pixels of the whole upright photo; always inside it.
  public var region: PixelRectangle
  /// The scale that suffices, at most 1: each pixel of the headshot is one of the region.
  public var scale: Double
  /// The square that becomes the headshot, in pixels of the photo.
  public var square: CropSquare
  /// The face's upright box, in pixels of the photo.
  public var faceBox: Rectangle
  /// The upright boxes of other people's faces, in pixels of the photo.
  public var otherBoxes: [Rectangle]
  /// The face that the plan was made for.
  public var face: FaceLocation
  /// The warnings known so far: those of the face, `low_resolution`, `tight_crop`.
  public var warnings: [PortraitWarning]
  /// The shape and size of the headshot.
  public var shape = PictureShape.square
}

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

/// The stages of the work, in order.
public enum HeadshotStage: String, Sendable, CaseIterable {
  /// Levels the head and cuts the square.
  case cropping
  /// Finds the person.
  case segmenting
  /// Finds the exact edge of the person, including hair.
  case matting
  /// Balances light and colour.
  case lighting
  /// Puts the person before the background, and sharpens.
  case composing
  /// The picture is made.
  case finishing
}

/// Why no headshot could be made. `message` tells the person what to do about it.
public enum PortraitError: Error, Sendable, Equatable {
  /// An embedded network is not the one that this version was built with, or cannot be run.
  case modelsUnusable(String)
  /// The number of bytes does not fit the picture's sides, or the picture is not the planned region.
  case malformedImage
  /// No face was found.
  case noFace
  /// A face was found, but it is `pixels` wide in the photo: too few to make a picture from.
  case faceTooSmall(pixels: Int)
  /// A face was found, but the photo's edge cuts through it.
  case faceCutOff
  /// Several people are equally prominent; choosing one would be a guess.
  case severalFaces(count: Int)
  /// The head is turned by `found` degrees instead of `asked`, and the studio cannot turn it. Negative is towards the
  /// viewer's left.
  case cannotTurnHead(asked: Double, found: Double)
  /// The caller's progress closure asked to stop.
  case cancelled

  public var message: String {
    switch self {
    case .modelsUnusable(let reason):
      "The on-device networks cannot be used: \(reason)"
    case .malformedImage:
      "The picture's data does not fit its dimensions."
    case .noFace:
      "No face was found in the photo. "
        + "Please use a photo that shows your face from the front, well lit and unobstructed."
    case .faceTooSmall(let pixels):
      "The face is only \(pixels) pixels wide. Please use a photo taken closer, or one with a higher resolution."
    case .faceCutOff:
      "The photo's edge cuts through the face. Please use a photo that shows the whole face."
    case .severalFaces(let count):
      "The photo shows \(count) people of about the same size. Please use a photo of one person, or crop it to one."
    case .cannotTurnHead(let asked, let found):
      "The on-device provider cannot turn a head: the photo shows \(Self.describe(found)), the style asks for "
        + "\(Self.describe(asked)). Please use a photo taken from that side."
    case .cancelled:
      "The headshot was cancelled."
    }
  }

  fileprivate static func describe(_ degrees: Double) -> String {
    let whole = Int(degrees.rounded())
    if abs(whole) <= 5 { return "the face from the front" }
    return "the face turned \(abs(whole))° to the \(whole < 0 ? "left" : "right")"
  }
}

/// Something that the person should know about a finished headshot.
public struct PortraitWarning: Sendable, Equatable {
  /// The stable name, as it is sent.
  public enum Kind: String, Sendable {
    /// The face has few pixels, so the picture will be soft.
    case lowResolution = "low_resolution"
    /// There are other people in the photo; the most prominent one was chosen.
    case severalFaces = "several_faces"
    /// The photo ends close to the head or the shoulders, so the crop is not the usual one.
    case tightCrop = "tight_crop"
    /// The photo is a cut-out, so that there is no background that could be shown out of focus.
    case noBackground = "no_background"
    /// The head is clearly turned, and the headshot keeps it so.
    case turnedHead = "turned_head"
    /// The photo has too few pixels for the size that was asked for.
    case sizeDiffers = "size_differs"
    /// The photo breaks a rule for passports.
    case passportRule = "passport_rule"
    /// The face lacks more light than may be added.
    case tooDark = "too_dark"
    /// The face is not in focus, or moved.
    case outOfFocus = "out_of_focus"
  }

  public var kind: Kind
  /// What the person should know and can do.
  public var message: String

  public init(kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }
}

extension PortraitWarning {
  /// The headshot keeps the turn of the photo, `yaw` degrees.
  static func turnedHead(_ yaw: Double) -> PortraitWarning {
    PortraitWarning(
      kind: .turnedHead,
      message: "The photo shows \(PortraitError.describe(yaw)), and the picture keeps it so. "
        + "A photo taken from the front gives a picture from the front.")
  }
}
