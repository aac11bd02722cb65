import Glibc

/// The background that shows between strands of hair, and in the corners between hair, neck and shoulder.
///
/// The networks see a head of hair as one shape, so that whatever it encloses becomes the person. A pixel in the hair is
/// background after all if its colour is usual in the background next to it, and foreign to the hair and to the skin.
/// Where the colours of both overlap, nothing is found.
struct HairGaps {
  /// The pixels that look like background.
  var open: [Bool]
  /// The middle of wide gaps, which is certainly background.
  var background: [Bool]
  /// The gaps and what is around them in the hair: the pixels whose opacity has to be measured.
  var unknown: [Bool]

  /// Gaps are looked for up to this many pixels inside the outline: deeper down, what looks like a gap is a highlight.
  private static let depth = 40
  /// The background's colours are those from where hairs no longer reach up to so many pixels outside the outline.
  private static let outside = (from: 8, to: 60)
  /// The hair's colours are those of the crown this many pixels inside the outline.
  private static let crown = (from: 10, to: 40)
  /// The confidence of the networks from which on the crown's colours are the hair's; in gaps it was 0.85–0.96.
  private static let confidence: Float = 0.97
  /// In standard deviations: the most from the background, the least from hair, from skin, and from skin below the chin,
  /// where the face's shadow makes it darker.
  private static let limits = (background: Float(2.5), hair: Float(4), skin: Float(3), neck: Float(4))
  /// Gaps are looked for down to so many face heights under the face's centre: to where an earring, the neck and a
  /// shoulder enclose the background.
  private static let lowest = 1.1
  /// Skin is looked for up to this part of the face's width beside it: an ear's.
  private static let ears = 0.2
  /// Before a background of another hue, single hairs blurred over the gap give a mixture of both: the least difference of
  /// hue and the most misfit, in deviations of noise, and the most that is hair.
  private static let mixture = (hue: Float(16), misfit: Float(4), part: Float(0.75))
  /// The cosine of the angle of hue, 8°, within which more light on the hair would give the colour of the wall.
  private static let sameHue: Float = 0.99
  /// Wider clusters of the background, in deviations of noise, say nothing about a pixel.
  private static let widest: Float = 6
  /// Clusters of the background with a smaller part of the samples are chance.
  private static let leastShare: Float = 0.06
  /// Fewer samples are no evidence.
  private static let leastSamples = 40
  private static let sectors = 8
  /// Every which row and column is sampled.
  private static let step = 3
  /// What is within this many pixels of a gap's rim is not certain.
  private static let rim = 3
  /// Gaps without a certain middle open only this near to the outline, where strands part.
  private static let shallow = 12
  /// Smaller gaps are noise.
  private static let leastArea = 12
  /// The mean confidence of the networks from which on a gap stays closed: it is a clip, or the light on a bald head. It
  /// counts this many pixels inside the outline, since at the outline it is always low. In gaps it was 0.83–0.96.
  private static let certain = (confidence: Float(0.975), inside: 5)
  /// The opacity is measured up to this many pixels around a gap.
  private static let margin = 3
  /// The probability of the person, before the opacity is measured, in a gap and around it.
  private static let prior = (open: Float(0.25), around: Float(0.6))

  /// - Parameters:
  ///   - image: colours 0…1.
  ///   - person: the outline (``Silhouette``).
  ///   - networks: the networks' mean, 0…1.
  ///   - valid: whether the photo has the pixel.
  /// - Returns: nil where there is nothing to open.
  static func found(
    in image: Plane<Colour>, person: [Bool], networks: Plane<Float>, valid: [Bool], faces: FacesInView
  ) -> HairGaps? {
    let (width, height) = (image.width, image.height)
    let face = faces.hull(width: width, height: height)
    let aboveChin = faces.mayBeHair(width: width, height: height, below: 0.5)
    let aboveShoulders = faces.mayBeHair(width: width, height: height, below: Self.lowest)
    let sides = person.indices.map { person[$0] && aboveShoulders[$0] && !face[$0] }
    func inside(_ distance: Int) -> [Bool] { Morphology.eroded(person, width, height, by: distance) }
    func colours(_ isMeant: (Int) -> Bool) -> [Colour] { samples(of: image, where: isMeant) }

    let (rim, core) = (inside(crown.from), inside(crown.to))
    let crown = colours { sides[$0] && aboveChin[$0] && rim[$0] && !core[$0] && networks.values[$0] > confidence }
    guard crown.count >= leastSamples else { return nil }
    let usual = (
      hair: ColourClusters(of: crown, count: 5), skin: ColourClusters(of: colours { face[$0] }, count: 3),
      clothes: ColourClusters(of: colours { person[$0] && !aboveChin[$0] && rim[$0] }, count: 4)
    )
    let middle = Int(faces.wanted.centre.y)
    let nearFace = Morphology.dilated(face, width, height, by: Int(faces.wanted.width * ears))
    let behind = surroundings(of: person, image, valid, faces).map { background in
      background.filtered { cluster in
        !usual.hair.clusters.contains { cluster.sharesHue(with: $0, cosine: sameHue) }
      }
    }
    let deep = inside(depth)
    let looksOpen = person.indices.map { index in
      guard sides[index], !deep[index] else { return false }
      let sector = Self.sectors(index % width, index / width, around: faces.wanted.centre).own
      let place = ColourClusters.place(image.values[index])
      guard usual.hair.distance(to: place) >= limits.hair else { return false }
      if nearFace[index], usual.skin.distance(to: place) < limits.skin { return false }
      // Collars and raised hands reach above the chin.
      if index / width > middle, usual.clothes.distance(to: place) < limits.skin { return false }
      if !aboveChin[index], usual.skin.distance(to: place) < limits.neck { return false }
      return behind[sector].distance(to: place) <= limits.background
        || behind[sector].mix(
          with: usual.hair, to: place, hue: mixture.hue, part: mixture.part, misfit: mixture.misfit)
    }
    return HairGaps(looksOpen, sides: sides, person: person, networks: networks, centre: middle)
  }

  /// Keeps those gaps that are large enough, and either wide or near the outline.
  /// - Parameter centre: the row of the face's centre; below it, what is narrow and near the outline may be a collar.
  private init?(_ looksOpen: [Bool], sides: [Bool], person: [Bool], networks: Plane<Float>, centre: Int) {
    let (width, height) = (networks.width, networks.height)
    guard looksOpen.contains(true) else { return nil }
    // Single pixels of noise neither make a gap nor part it.
    let votes = BoxBlur.apply(
      Plane(width: width, height: height, values: looksOpen.map { $0 ? Float(1) : 0 }), radius: 1)
    let dense = person.indices.map { sides[$0] && votes.values[$0] > 0.5 }
    let middle = Morphology.eroded(dense, width, height, by: Self.rim)
    let shallow = Morphology.eroded(person, width, height, by: Self.shallow)
    let (labels, areas) = ConnectedComponents.label(dense, width: width, height: height)
    var isWide = [Bool](repeating: false, count: areas.count)
    let inside = Morphology.eroded(person, width, height, by: Self.certain.inside)
    // How far the networks' confidence is above the limit, summed over the pixels inside.
    var confidence = [Float](repeating: 0, count: areas.count)
    for index in dense.indices where dense[index] {
      let label = Int(labels[index])
      if middle[index] || !shallow[index] && index / width < centre { isWide[label] = true }
      if inside[index] { confidence[label] += networks.values[index] - Self.certain.confidence }
    }
    let isKept = areas.indices.map { isWide[$0] && areas[$0] >= Self.leastArea && confidence[$0] <= 0 }
    let open = dense.indices.map { dense[$0] && isKept[Int(labels[$0])] }
    guard open.contains(true) else { return nil }
    let background = open.indices.map { open[$0] && middle[$0] }
    let around = Morphology.dilated(open, width, height, by: Self.margin)
    unknown = around.indices.map { around[$0] && sides[$0] && !background[$0] }
    (self.open, self.background) = (open, background)
  }

  /// Opens the gaps in the regions, in the prior of the opacity and in the outline.
  func open(_ trimap: inout Trimap, _ prior: inout Plane<Float>, _ person: inout [Bool]) {
    for index in person.indices {
      if background[index] {
        trimap.regions[index] = .background
      } else if unknown[index] {
        trimap.regions[index] = .unknown
        prior.values[index] = min(prior.values[index], open[index] ? Self.prior.open : Self.prior.around)
      }
      if open[index] { person[index] = false }
    }
  }

  /// The colours of the background next to the person, in each of the sectors around the face.
  private static func surroundings(
    of person: [Bool], _ image: Plane<Colour>, _ valid: [Bool], _ faces: FacesInView
  ) -> [ColourClusters] {
    let (width, height) = (image.width, image.height)
    let near = Morphology.dilated(person, width, height, by: outside.from)
    let far = Morphology.dilated(person, width, height, by: outside.to)
    var colours = [[Colour]](repeating: [], count: sectors)
    for y in stride(from: 0, to: height, by: step) {
      for x in stride(from: 0, to: width, by: step) {
        let index = y * width + x
        guard far[index], !near[index], valid[index] else { continue }
        // A gap near the border of two sectors has the background of both.
        let (own, next) = sectors(x, y, around: faces.wanted.centre)
        colours[own].append(image.values[index])
        colours[next].append(image.values[index])
      }
    }
    return colours.map { samples in
      guard samples.count >= leastSamples else { return ColourClusters(of: [], count: 0) }
      return ColourClusters(of: samples, count: 3).filtered { $0.share >= leastShare && $0.spread <= widest }
    }
  }

  private static func samples(of image: Plane<Colour>, where isMeant: (Int) -> Bool) -> [Colour] {
    var result: [Colour] = []
    for y in stride(from: 0, to: image.height, by: step) {
      for index in stride(from: y * image.width, to: (y + 1) * image.width, by: step) where isMeant(index) {
        result.append(image.values[index])
      }
    }
    return result
  }

  /// The sector of a pixel around the face, and the neighbour that is nearer to it.
  private static func sectors(_ x: Int, _ y: Int, around centre: Point) -> (own: Int, next: Int) {
    let angle = atan2f(Float(y) - Float(centre.y), Float(x) - Float(centre.x))
    let position = (angle / (2 * .pi) + 0.5) * Float(sectors)
    let own = min(sectors - 1, max(0, Int(position)))
    return (own, (own + (position - Float(own) < 0.5 ? sectors - 1 : 1)) % sectors)
  }
}
