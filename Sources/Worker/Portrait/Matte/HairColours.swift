import Glibc

/// Which colours the hair of the person has, and which the skin, the clothes and the background beside it.
struct HairColours {
  private typealias Tuning = MatteTuning.HairGaps

  /// The pixels of the person around the face, down to the shoulders, where there may be hair.
  let sides: [Bool]
  /// The row of the face's centre.
  let middle: Int

  private let aboveChin: [Bool]
  private let nearFace: [Bool]
  private let hair: ColourClusters
  /// The brightness of most of the hair, in deviations of noise.
  private let brightness: Float
  private let skin: ColourClusters
  private let clothes: ColourClusters
  private let centre: Point
  /// The colours of the background in each sector around the face, and those of them that are no hair in another light.
  private let around: [ColourClusters]
  private let foreign: [ColourClusters]

  /// - Parameters: as of ``HairGaps/found(in:person:networks:valid:faces:)``.
  /// - Returns: nil where too little is certainly hair.
  init?(of image: Plane<Colour>, person: [Bool], networks: Plane<Float>, valid: [Bool], faces: FacesInView) {
    let (width, height) = (image.width, image.height)
    let face = faces.hull(width: width, height: height)
    let aboveChin = faces.mayBeHair(width: width, height: height, below: 0.5)
    let aboveShoulders = faces.mayBeHair(width: width, height: height, below: Tuning.lowest)
    let sides = person.indices.map { person[$0] && aboveShoulders[$0] && !face[$0] }
    func inside(_ distance: Int) -> [Bool] { Morphology.eroded(person, width, height, by: distance) }
    func colours(_ isMeant: (Int) -> Bool) -> [Colour] { Self.samples(of: image, where: isMeant) }

    let (rim, core) = (inside(Tuning.crown.from), inside(Tuning.crown.to))
    let crown = colours { sides[$0] && aboveChin[$0] && rim[$0] && !core[$0] && networks.values[$0] > Tuning.confidence }
    guard crown.count >= Tuning.leastSamples else { return nil }
    let hair = ColourClusters(of: crown, count: Tuning.clusters.hair)
    self.hair = hair
    brightness = hair.clusters.max { $0.share < $1.share }?.mean.x ?? 0
    skin = ColourClusters(of: colours { face[$0] }, count: Tuning.clusters.skin)
    clothes = ColourClusters(of: colours { person[$0] && !aboveChin[$0] && rim[$0] }, count: Tuning.clusters.clothes)
    around = Self.surroundings(of: person, image, valid, faces)
    foreign = around.map { background in
      background.filtered { cluster in
        !hair.clusters.contains { cluster.sharesHue(with: $0, cosine: Tuning.sameHue) }
      }
    }
    nearFace = Morphology.dilated(face, width, height, by: Int(faces.wanted.width * Tuning.ears))
    centre = faces.wanted.centre
    middle = Int(centre.y)
    (self.aboveChin, self.sides) = (aboveChin, sides)
  }

  func isHair(_ colour: Colour) -> Bool { hair.distance(to: ColourClusters.place(colour)) < Tuning.doubt.hair }

  /// Whether a pixel has a colour of the background; whether it is also above the chin and far brighter or darker than most
  /// of the hair; and whether its colour is certainly foreign to the hair. Nil where it may be hair, skin or clothes.
  func look(
    of index: Int, in image: Plane<Colour>
  ) -> (isOfBackground: Bool, contrasts: Bool, isForeign: Bool)? {
    let place = ColourClusters.place(image.values[index])
    let fromHair = hair.distance(to: place)
    guard fromHair >= Tuning.doubt.hair else { return nil }
    if nearFace[index], skin.distance(to: place) < Tuning.limits.skin { return nil }
    // Collars and raised hands reach above the chin.
    if index / image.width > middle, clothes.distance(to: place) < Tuning.limits.skin { return nil }
    if !aboveChin[index], skin.distance(to: place) < Tuning.limits.neck { return nil }
    let sector = Self.sectors(index % image.width, index / image.width, around: centre).own
    let isForeign =
      fromHair >= Tuning.limits.hair
      && (foreign[sector].distance(to: place) <= Tuning.limits.background
        || foreign[sector].mix(
          with: hair, to: place, hue: Tuning.mixture.hue, part: Tuning.mixture.part, misfit: Tuning.mixture.misfit))
    let isOfBackground = around[sector].distance(to: place) <= Tuning.limits.background
    let contrasts = isOfBackground && aboveChin[index] && abs(place.x - brightness) >= Tuning.doubt.contrast
    return (isOfBackground, contrasts, isForeign)
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
