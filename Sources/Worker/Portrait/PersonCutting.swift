/// The way from the photo to the person who is cut out of it, whatever will be behind them.
extension HeadshotMaker {
  /// The person cut out of the photo: everything that does not depend on the background that is chosen.
  struct Cutting {
    var region: PhotoRegion
    /// The region at the scale of the square, in its pixels.
    var placed: PhotoRegion
    var square: CropSquare
    var crop: PixelImage
    /// The crop at the matte's size.
    var small: Plane<Colour>
    var faces: FacesInView
    /// Whether the photo has the pixel of the matte.
    var valid: [Bool]
    var matte: Matte
    /// What the networks saw; nil of a cut-out.
    var sight: Sight?
    var warnings: [PortraitWarning]

    /// A cut-out has no background of its own.
    var isCutOut: Bool { sight == nil }
  }

  /// What the networks see in a square, on the grid of its matte.
  struct Sight {
    /// How certainly each pixel is the person, after the doubts were resolved.
    var mask: Plane<Float>
    /// The mean of the views.
    var mean: Plane<Float>
    /// The widest first; none where the operator's network gives the mask.
    var views: [Plane<Float>]
  }

  func cutting(
    of region: PhotoRegion, progress: (HeadshotStage, Double) throws(PortraitError) -> Void
  ) throws(PortraitError) -> Cutting {
    try progress(.cropping, 0)
    let visible = region.withContinuedColours()
    let region = isWholeFrame ? visible : visible.withoutFrame()
    let placed = region.reduced(for: plan.square, size: CropPlanner.headshotSize)
    let sampler = Sampler(image: placed.seenByNetworks)
    let (square, fitting, isCutOut) = try fittedSquare(in: sampler, placed)
    let crop = crop(square, of: placed)

    let small = Self.half(crop)
    let faces = faces(in: square, placed)
    let transparency = Transparency(of: square, in: placed, size: MatteBuilder.size)
    var valid = Self.validity(square, in: placed.image, size: MatteBuilder.size)
    if let transparency, isCutOut {
      let matte = transparency.cutOut(small, valid: valid)
      return Cutting(
        region: region, placed: placed, square: square, crop: crop, small: small, faces: faces, valid: valid, matte: matte,
        warnings: fitting)
    }
    if let transparency { valid = zip(valid, transparency.isVisible).map { $0 && $1 } }
    try progress(.segmenting, 0.15)
    var sight = try sight(of: square, in: sampler, small, faces, valid: valid)
    if isWholeFrame {
      sight.mask = photoArea(of: sight.mask.width).continued(sight.mask)
      valid = valid.map { _ in true }
    }
    try progress(.matting, 0.45)
    let found = MatteBuilder.matte(image: small, mask: sight.mask, valid: valid, faces: faces)
    let matte = transparency?.limited(found) ?? found
    let meetsOthers = faces.meetOthers(networks: sight.mask, opacity: matte.opacity)
    return Cutting(
      region: region, placed: placed, square: square, crop: crop, small: small, faces: faces, valid: valid, matte: matte,
      sight: sight, warnings: fitting + (meetsOthers ? [.anotherPerson] : []))
  }

  private func sight(
    of square: CropSquare, in sampler: Sampler, _ image: Plane<Colour>, _ faces: FacesInView, valid: [Bool]
  ) throws(PortraitError) -> Sight {
    let size = MatteBuilder.size
    if let matte = networks.matte(on: square, in: sampler, size: size) { return Sight(mask: matte, mean: matte, views: []) }
    let (own, views) = try segmenter.masks(of: square, in: sampler, scales: MatteTuning.Segmenter.scales, size: size)
    let mean = networks.voted(own, on: square, in: sampler)
    let resolved = ViewDisagreement.resolved(mean: mean, wide: (views[0], views[1]), face: faces.wanted)
    guard SecondOpinion.isWorthIt(for: mean, keepsEverybody: isWholeFrame) else {
      return Sight(mask: resolved, mean: mean, views: views)
    }
    let opinions = try secondary.opinions(on: square, in: sampler, face: faces.wanted, size: size)
    let mask = SecondOpinion.corrected(resolved, mean: mean, of: image, by: opinions, valid: valid, face: faces.wanted)
    return Sight(mask: mask, mean: mean, views: views)
  }
}
