import Localization

/// Makes the finished picture from the planned region.
struct HeadshotMaker {
  let segmenter: PersonSegmenter
  let secondary: SecondarySegmenter
  /// The operator's.
  var networks: [PersonNetwork] = []
  let plan: HeadshotPlan
  var options: HeadshotOptions

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
    let cutting = try cutting(of: region, progress: progress)
    guard options.background == .auto else { return try finished(cutting, progress: progress) }
    let doubt = BackgroundDoubt(of: cutting)
    var maker = self
    maker.options.background = doubt?.isTooLarge == true ? .casual : .professional
    var composition = try maker.finished(cutting, progress: progress)
    if let doubt, doubt.isTooLarge { composition.warnings.append(doubt.warning) }
    return composition
  }

  /// The person before the background that the options name.
  private func finished(
    _ cutting: Cutting, progress: (HeadshotStage, Double) throws(PortraitError) -> Void
  ) throws(PortraitError) -> Composition {
    let (small, faces, matte) = (cutting.small, cutting.faces, cutting.matte)
    try progress(.lighting, 0.7)
    // A cut-out has no background to keep.
    let keepsPhoto = options.background == .keep && !cutting.isCutOut
    var faceLight = FaceLight(of: small, opacity: matte.opacity, face: faces.wanted)
    let faceSide = faceLight?.side ?? 0
    func background(_ tone: ToneCurve) -> Plane<Colour>? {
      if keepsPhoto { return nil }
      return self.background(tone, faceSide: faceSide) {
        cutting.isCutOut ? nil : VisibleBackground.scene(of: small, opacity: matte.opacity, valid: cutting.valid)
      }
    }
    if faceLight?.isMaybeBacklit == true { faceLight?.backdrop = background(ToneCurve(for: .neutral))?.meanLuma }
    let tone = ToneCurve(for: plan.face.light, face: faceLight)
    try progress(.composing, 0.75)
    let background = background(tone)
    let shown = shown(cutting.crop, cutting.placed.inPhoto(cutting.square), region: cutting.region)
    let compositor = Compositor(
      crop: shown, matte: matte, background: background, tone: tone, keepsPhoto: keepsPhoto)
    let finished = sharpener(cutting.square, of: cutting.placed, size: shown.height).finished(compositor)
    let picture = isWholeFrame ? photoArea(of: finished.image.height).part(of: finished) : finished
    try progress(.finishing, 1)
    var warnings = plan.warnings + cutting.warnings + sizeWarnings(picture.image)
    if cutting.isCutOut, [.casual, .keep].contains(options.background) { warnings.append(Self.noBackground) }
    if faceLight?.isTooDark == true { warnings.append(.tooDark) }
    if !isWholeFrame, isOutOfFocus(faces.wanted, in: small) { warnings.append(.outOfFocus) }
    if [.flat, .nothing].contains(options.background.behind), hasBackgroundInHair(cutting) {
      warnings.append(Self.backgroundInHair)
    }
    if let background, !isWholeFrame {
      let chin = Int(faces.wanted.y + faces.wanted.height)
      let clothes = ClothesContrast(of: small, opacity: matte.opacity, before: background, tone: tone, chin: chin)
      if clothes.isLow { warnings.append(.clothesLikeBackground) }
    }
    return Composition(image: picture.image, opacity: picture.opacity, matte: matte, warnings: warnings)
  }

  private func hasBackgroundInHair(_ cutting: Cutting) -> Bool {
    if cutting.matte.backgroundInHair >= MatteTuning.HairGaps.leastTold { return true }
    return !isWholeFrame && BackgroundDoubt(of: cutting)?.isLooseHair == true
  }

  private static let noBackground = PortraitWarning(
    kind: .noBackground,
    message: "The photo is a cut-out without a background of its own, so the picture has a plain backdrop. "
      + "A photo with its background gives an everyday one.")

  private static let backgroundInHair = PortraitWarning(
    kind: .backgroundInHair,
    message: "Some of the photo's background may still show in the hair. "
      + "A photo taken in front of a plain wall gives a better picture.")

  /// What the picture shows, at its size: often the crop that the matte was made of.
  /// - Parameter square: in pixels of the photo.
  private func shown(_ crop: PixelImage, _ square: CropSquare, region: PhotoRegion) -> PixelImage {
    let height = isWholeFrame ? plan.shape.longestSide : plan.shape.height(showing: square.side)
    if isWholeFrame || plan.shape.aspect == 1, height == crop.height { return crop }
    let placed = region.reduced(for: plan.square, size: height)
    return self.crop(
      placed.placed(square), of: placed, size: height, columns: isWholeFrame ? nil : plan.shape.columns(ofSquare: height))
  }

  private func sizeWarnings(_ image: PixelImage) -> [PortraitWarning] {
    guard !isWholeFrame, image.height < plan.shape.longestSide else { return [] }
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
  func fittedSquare(
    in sampler: Sampler, _ region: PhotoRegion
  ) throws(PortraitError) -> (CropSquare, [PortraitWarning], isCutOut: Bool) {
    let ideal = region.placed(plan.square)
    if isWholeFrame {
      // Only a photo with transparency can be a cut-out.
      guard region.opacity != nil else { return (ideal, [], false) }
      return (ideal, [], try field(of: ideal, in: sampler, region).isCutOut)
    }
    let view = try field(of: ideal, in: sampler, region)
    if case .passport(let geometry) = plan.shape.placement {
      let (square, warnings) = passport(geometry, ideal, view.person, view.valid, face: view.face)
      return (square, warnings, view.isCutOut)
    }
    var adjustment = adjustment(in: view)
    var square = ideal.adjusted(by: adjustment)
    if ideal.rotation != 0, adjustment.size < CropTuning.Fitter.comfortableSize {
      // Levelling costs the corners of the photo. Where that cuts the head, its lean is the lesser fault.
      let leaning = ideal.unrotated(around: plan.shape.eyeHeight)
      let other = try self.adjustment(in: field(of: leaning, in: sampler, region))
      if other.size > adjustment.size * CropTuning.Field.levelling {
        adjustment = other
        square = leaning.adjusted(by: other)
      }
    }
    if options.background == .keep, !view.isCutOut {
      square = square.movedInside(
        width: Double(region.image.width), height: Double(region.image.height), aspect: plan.shape.aspect)
    }
    // The sides of a taller picture are not those of the square.
    if plan.shape.aspect == 1 {
      square = square.snapped(toPhotoOf: Double(region.image.width), Double(region.image.height))
    }
    return (square, adjustment.size < CropTuning.Field.tight ? [Self.tightCrop] : [], view.isCutOut)
  }

  /// What is examined to choose the square, and what it shows.
  private struct Field {
    var person: Plane<Float>
    var valid: [Bool]
    /// In its pixels.
    var face: Rectangle
    var isCutOut: Bool
  }

  private func field(
    of ideal: CropSquare, in sampler: Sampler, _ region: PhotoRegion
  ) throws(PortraitError) -> Field {
    let square = ideal.scaled(by: CropTuning.Field.side)
    let networks = try segmenter.mask(of: square, in: sampler, size: 256)
    let faces = faces(in: square, region, size: networks.width)
    var valid = Self.validity(square, in: sampler.image, size: networks.width)
    let transparency = Transparency(of: square, in: region, size: networks.width)
    let isCutOut = transparency?.isCutOut(person: networks, valid: valid) ?? false
    if let transparency { valid = transparency.photo(valid, isCutOut: isCutOut) }
    return Field(person: faces.withoutOthers(networks), valid: valid, face: faces.wanted, isCutOut: isCutOut)
  }

  private func adjustment(in view: Field) -> CropFitter.Adjustment {
    CropFitter(
      person: view.person, valid: view.valid, face: view.face, yaw: plan.face.yaw, field: CropTuning.Field.side,
      shape: plan.shape
    ).adjustment()
  }

  private func passport(
    _ geometry: PassportGeometry, _ ideal: CropSquare, _ mask: Plane<Float>, _ valid: [Bool], face: Rectangle
  ) -> (CropSquare, [PortraitWarning]) {
    let size = Double(mask.width)
    let row = PassportGeometry.hairTop(of: mask, face: face)
    let (adjustment, isWhole) = geometry.adjustment(hairTop: (Double(row) / size - 0.5) * CropTuning.Field.side + 0.5)
    // The picture in pixels of the field.
    let side = adjustment.size / CropTuning.Field.side * size
    let picture = Rectangle(
      x: size / 2 - side * plan.shape.aspect / 2, y: (0.5 + adjustment.down / CropTuning.Field.side) * size - side / 2,
      width: side * plan.shape.aspect, height: side)
    let isCut =
      PassportGeometry.cut(of: mask, valid: valid, in: picture) > CropTuning.Fitter.tolerance
      || options.background == .keep && PassportGeometry.missing(valid, of: mask.width, in: picture) > 0
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
    func inGrid(_ box: Rectangle) -> Rectangle { square.grid(region.placed(box), size: size) }
    let others = plan.otherBoxes.map(inGrid)
    return FacesInView(
      wanted: inGrid(plan.faceBox), others: isWholeFrame ? [] : others, companions: isWholeFrame ? others : [])
  }

  /// - Parameter scene: what the photo shows of its own background; nil if it has none.
  /// - Returns: nil when there is to be none.
  private func background(_ tone: ToneCurve, faceSide: Double, scene: () -> Plane<Colour>?) -> Plane<Colour>? {
    switch options.background {
    case .transparent: return nil
    case .colour(let red, let green, let blue):
      return Plane(
        width: 1, height: 1, repeating: Colour(Float(red), Float(green), Float(blue), 0) / 255)
    case .professional, .auto, .keep: return backdrop(behind: scene(), tone, faceSide)
    case .casual:
      guard let scene = scene() else { return backdrop(behind: nil, tone, faceSide) }
      // A lens out of focus leaves nothing that an eighth of the picture's size could not hold.
      let premultiplied = scene.map { ($0 * $0.w).replacingLast($0.w) }.halved().halved()
      let small = premultiplied.map { ($0 / max($0.w, 1e-4)).replacingLast($0.w) }
      return SoftFocusBackground.render(small, variation: options.variation)
    }
  }

  private func backdrop(behind scene: Plane<Colour>?, _ tone: ToneCurve, _ faceSide: Double) -> Plane<Colour> {
    // As bright as the person's light would make it.
    let light = plan.face.light.bright / PhotoLight.neutral.bright
    let dimming = BackgroundTuning.Backdrop.dimming
    return StudioBackdrop.paint(
      variation: options.variation, scene: scene.flatMap { SceneLight(of: $0, tone: tone, faceSide: faceSide) },
      dimming: Float(max(dimming.least, min(1, dimming.dark + dimming.rise * light))), size: 256)
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
