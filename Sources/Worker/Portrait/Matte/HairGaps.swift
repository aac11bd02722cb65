import Glibc

/// The background that shows between strands of hair, and in the corners between hair, neck and shoulder.
///
/// The networks see a head of hair as one shape, so that whatever it encloses becomes the person. A pixel in the hair is
/// background after all if its colour is usual in the background next to it, and foreign to the hair and to the skin.
/// Where the colours of both overlap, nothing is found.
struct HairGaps {
  private typealias Tuning = MatteTuning.HairGaps

  /// The pixels that look like background.
  var open: [Bool]
  /// The middle of wide gaps, which is certainly background.
  var background: [Bool]
  /// The gaps and what is around them in the hair: the pixels whose opacity has to be measured.
  var unknown: [Bool]

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
    let aboveShoulders = faces.mayBeHair(width: width, height: height, below: Tuning.lowest)
    let sides = person.indices.map { person[$0] && aboveShoulders[$0] && !face[$0] }
    func inside(_ distance: Int) -> [Bool] { Morphology.eroded(person, width, height, by: distance) }
    func colours(_ isMeant: (Int) -> Bool) -> [Colour] { samples(of: image, where: isMeant) }

    let (rim, core) = (inside(Tuning.crown.from), inside(Tuning.crown.to))
    let crown = colours { sides[$0] && aboveChin[$0] && rim[$0] && !core[$0] && networks.values[$0] > Tuning.confidence }
    guard crown.count >= Tuning.leastSamples else { return nil }
    let usual = (
      hair: ColourClusters(of: crown, count: Tuning.clusters.hair),
      skin: ColourClusters(of: colours { face[$0] }, count: Tuning.clusters.skin),
      clothes: ColourClusters(of: colours { person[$0] && !aboveChin[$0] && rim[$0] }, count: Tuning.clusters.clothes)
    )
    let middle = Int(faces.wanted.centre.y)
    let nearFace = Morphology.dilated(face, width, height, by: Int(faces.wanted.width * Tuning.ears))
    let behind = surroundings(of: person, image, valid, faces).map { background in
      background.filtered { cluster in
        !usual.hair.clusters.contains { cluster.sharesHue(with: $0, cosine: Tuning.sameHue) }
      }
    }
    let deep = inside(Tuning.depth)
    let looksOpen = person.indices.map { index in
      guard sides[index], !deep[index] else { return false }
      let sector = Self.sectors(index % width, index / width, around: faces.wanted.centre).own
      let place = ColourClusters.place(image.values[index])
      guard usual.hair.distance(to: place) >= Tuning.limits.hair else { return false }
      if nearFace[index], usual.skin.distance(to: place) < Tuning.limits.skin { return false }
      // Collars and raised hands reach above the chin.
      if index / width > middle, usual.clothes.distance(to: place) < Tuning.limits.skin { return false }
      if !aboveChin[index], usual.skin.distance(to: place) < Tuning.limits.neck { return false }
      return behind[sector].distance(to: place) <= Tuning.limits.background
        || behind[sector].mix(
          with: usual.hair, to: place, hue: Tuning.mixture.hue, part: Tuning.mixture.part, misfit: Tuning.mixture.misfit)
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
    let middle = Morphology.eroded(dense, width, height, by: Tuning.rim)
    let shallow = Morphology.eroded(person, width, height, by: Tuning.shallow)
    let (labels, areas) = ConnectedComponents.label(dense, width: width, height: height)
    var isWide = [Bool](repeating: false, count: areas.count)
    let inside = Morphology.eroded(person, width, height, by: Tuning.certain.inside)
    // How far the networks' confidence is above the limit, summed over the pixels inside.
    var confidence = [Float](repeating: 0, count: areas.count)
    for index in dense.indices where dense[index] {
      let label = Int(labels[index])
      if middle[index] || !shallow[index] && index / width < centre { isWide[label] = true }
      if inside[index] { confidence[label] += networks.values[index] - Tuning.certain.confidence }
    }
    let isKept = areas.indices.map { isWide[$0] && areas[$0] >= Tuning.leastArea && confidence[$0] <= 0 }
    let open = dense.indices.map { dense[$0] && isKept[Int(labels[$0])] }
    guard open.contains(true) else { return nil }
    let background = open.indices.map { open[$0] && middle[$0] }
    let around = Morphology.dilated(open, width, height, by: Tuning.margin)
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
        prior.values[index] = min(prior.values[index], open[index] ? Tuning.prior.open : Tuning.prior.around)
      }
      if open[index] { person[index] = false }
    }
  }

  /// The colours of the background next to the person, in each of the sectors around the face.
  private static func surroundings(
    of person: [Bool], _ image: Plane<Colour>, _ valid: [Bool], _ faces: FacesInView
  ) -> [ColourClusters] {
    let (width, height) = (image.width, image.height)
    let near = Morphology.dilated(person, width, height, by: Tuning.outside.from)
    let far = Morphology.dilated(person, width, height, by: Tuning.outside.to)
    var colours = [[Colour]](repeating: [], count: Tuning.sectors)
    for y in stride(from: 0, to: height, by: Tuning.step) {
      for x in stride(from: 0, to: width, by: Tuning.step) {
        let index = y * width + x
        guard far[index], !near[index], valid[index] else { continue }
        // A gap near the border of two sectors has the background of both.
        let (own, next) = sectors(x, y, around: faces.wanted.centre)
        colours[own].append(image.values[index])
        colours[next].append(image.values[index])
      }
    }
    return colours.map { samples in
      guard samples.count >= Tuning.leastSamples else { return ColourClusters(of: [], count: 0) }
      return ColourClusters(of: samples, count: Tuning.clusters.background)
        .filtered { $0.share >= Tuning.leastShare && $0.spread <= Tuning.widest }
    }
  }

  private static func samples(of image: Plane<Colour>, where isMeant: (Int) -> Bool) -> [Colour] {
    var result: [Colour] = []
    for y in stride(from: 0, to: image.height, by: Tuning.step) {
      for index in stride(from: y * image.width, to: (y + 1) * image.width, by: Tuning.step) where isMeant(index) {
        result.append(image.values[index])
      }
    }
    return result
  }

  /// The sector of a pixel around the face, and the neighbour that is nearer to it.
  private static func sectors(_ x: Int, _ y: Int, around centre: Point) -> (own: Int, next: Int) {
    let angle = atan2f(Float(y) - Float(centre.y), Float(x) - Float(centre.x))
    let position = (angle / (2 * .pi) + 0.5) * Float(Tuning.sectors)
    let own = min(Tuning.sectors - 1, max(0, Int(position)))
    return (own, (own + (position - Float(own) < 0.5 ? Tuning.sectors - 1 : 1)) % Tuning.sectors)
  }
}
