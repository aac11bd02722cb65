/// The way from the planned region to the finished picture.
struct HeadshotMaker {
  /// A backdrop behind somebody in dim light is dimmed too, but not below this part.
  static let dimmestBackdrop = 0.55
  /// The field examined before the square is settled, in sides of the ideal square.
  static let field = 1.3

  let segmenter: PersonSegmenter
  let plan: HeadshotPlan
  let options: HeadshotOptions

  func headshot(
    of region: PixelImage, progress: (HeadshotStage, Double) throws(PortraitError) -> Void
  ) throws(PortraitError) -> Headshot {
    try progress(.cropping, 0)
    let sampler = Sampler(image: region)
    let (square, tight) = try settledSquare(in: sampler)
    let crop = CropResampler.image(of: square, in: region, size: CropPlanner.headshotSize)

    try progress(.segmenting, 0.15)
    let mask = try segmenter.mask(
      of: square, in: sampler, views: [(1.0, 1), (1.25, 1), (0.8, 1)], size: MatteBuilder.size)

    try progress(.matting, 0.45)
    let small = Self.half(crop)
    let exists = Self.existing(square, in: region, size: MatteBuilder.size)
    let matte = MatteBuilder.matte(image: small, mask: mask, exists: exists, heads: heads(in: square))

    try progress(.lighting, 0.7)
    let tone = ToneCurve(for: plan.face.light)
    try progress(.composing, 0.75)
    let composed = Compositor(
      crop: crop, matte: matte, background: background(small, matte, exists), tone: tone, grain: 1.2
    ).composed()

    try progress(.finishing, 0.93)
    let image = Sharpener.sharpened(composed, amount: 0.45, limit: 10)
    try progress(.finishing, 1)
    return Headshot(image: image, warnings: plan.warnings + (tight ? [Self.tightCrop] : []))
  }

  private static let tightCrop = PortraitWarning(
    kind: .tightCrop,
    message: "The photo ends close to the person, so the picture is cropped more tightly than usual. "
      + "A photo with more room around head and shoulders gives a better picture.")

  /// The ideal square, moved or shrunk where the photo ends on the person.
  private func settledSquare(in sampler: Sampler) throws(PortraitError) -> (CropSquare, tight: Bool) {
    let field = plan.crop.scaled(by: Self.field)
    let networks = try segmenter.mask(of: field, in: sampler, views: [(1, 1)], size: 256)
    let mask = heads(in: field, size: networks.width).withoutOthers(networks)
    let exists = Self.existing(field, in: sampler.image, size: mask.width)
    let adjustment = CropFitter(person: mask, exists: exists, field: Self.field).adjustment()
    return (plan.crop.adjusted(by: adjustment), adjustment.size < 0.85)
  }

  /// The faces in pixels of a grid of `size` over `square`.
  func heads(in square: CropSquare, size side: Int = MatteBuilder.size) -> Heads {
    let size = Double(side)
    func inGrid(_ box: Rectangle) -> Rectangle {
      let centre = square.position(of: box.centre)
      let (width, height) = (box.width / square.side * size, box.height / square.side * size)
      return Rectangle(x: centre.x * size - width / 2, y: centre.y * size - height / 2, width: width, height: height)
    }
    return Heads(wanted: inGrid(plan.faceInRegion), others: plan.othersInRegion.map(inGrid))
  }

  private func background(_ image: Plane<Colour>, _ matte: Matte, _ exists: [Bool]) -> Plane<Colour> {
    switch options.background {
    case .professional:
      // As bright as the person's light would make it.
      let light = plan.face.light.bright / PhotoLight.neutral.bright
      return StudioBackdrop.paint(variation: options.variation, size: 256)
        .map { $0 * Float(max(Self.dimmestBackdrop, min(1, 0.35 + 0.65 * light))) }
    case .casual:
      var scene = image
      for index in scene.values.indices {
        // Half-covered pixels already carry the person's colour; only clear background counts.
        let clear = exists[index] ? max(0, 1 - 4 * matte.opacity.values[index]) : 0
        scene.values[index] = scene.values[index].replacingLast(clear)
      }
      // A lens out of focus leaves nothing that an eighth of the picture's size could not hold.
      let premultiplied = scene.map { ($0 * $0.w).replacingLast($0.w) }.halved().halved()
      let small = premultiplied.map { ($0 / max($0.w, 1e-4)).replacingLast($0.w) }
      return SoftFocusBackground.render(small, variation: options.variation)
    }
  }

  /// Half the size, colours 0…1.
  static func half(_ image: PixelImage) -> Plane<Colour> {
    var plane = Plane<Colour>(width: image.width / 2, height: image.height / 2, repeating: .zero)
    for y in 0..<plane.height {
      for x in 0..<plane.width {
        var sum = Colour.zero
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
          let at = ((2 * y + dy) * image.width + 2 * x + dx) * 3
          sum += Colour(Float(image.pixels[at]), Float(image.pixels[at + 1]), Float(image.pixels[at + 2]), 0)
        }
        plane[x, y] = sum / 1020
      }
    }
    return plane
  }

  /// For each place of a square whether the picture has it.
  static func existing(_ square: CropSquare, in image: PixelImage, size: Int) -> [Bool] {
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
