/// The pixels that are certainly the person, those that are certainly not, and the unknown ones.
struct Trimap {
  private typealias Tuning = MatteTuning.Trimap

  enum Region: UInt8 {
    case background
    case unknown
    case person
  }

  let width: Int
  let height: Int
  var regions: [Region]

  /// - Parameter regions: `width * height`, row by row.
  init(width: Int, height: Int, regions: [Region]) {
    self.width = width
    self.height = height
    self.regions = regions
  }

  /// - Parameters:
  ///   - mask: the networks' mean, 0…1.
  ///   - inner: pixels inside the mask's edge that stay unknown.
  ///   - outer: pixels outside of it; hair reaches further out than the networks say.
  ///   - band: pixels on either side of the mask's edge beyond which nothing is unknown.
  ///   - face: where the person's face is; what hangs together with neither it nor one of the others is background.
  init(
    mask: Plane<Float>, valid: [Bool], inner: Int, outer: Int, band: Int, face: PixelRectangle,
    others: [PixelRectangle] = []
  ) {
    width = mask.width
    height = mask.height
    let likely = zip(mask.values, valid).map { $0 > 0.5 && $1 }
    let person = ConnectedComponents.largest(likely, width: width, height: height, meeting: face, others: others)
    let limits = Tuning.confidence
    let possible = Morphology.dilated(zip(mask.values, valid).map { $0 > limits.possible && $1 }, width, height, by: outer)
    let certain = Morphology.eroded(zip(person, mask.values).map { $0 && $1 > limits.certain }, width, height, by: inner)
    // Far from the edge the networks are right even where they are not sure.
    let near = Morphology.dilated(person, width, height, by: band)
    let deep = Morphology.eroded(person, width, height, by: band)
    regions = [Region](repeating: .background, count: mask.values.count)
    for index in regions.indices where valid[index] {
      if certain[index] || deep[index] {
        regions[index] = .person
      } else if possible[index], near[index] {
        regions[index] = .unknown
      }
    }
    fillHoles()
  }

  /// The narrow band along a known edge.
  /// - Parameters:
  ///   - solid: pixels on either side of the edge that stay unknown along clothes and skin.
  ///   - loose: likewise where there may be hair.
  ///   - zone: what stands out from an even background stays unknown too.
  init(edgeOf person: [Bool], zone: HairZone, valid: [Bool], width: Int, height: Int, solid: Int, loose: Int) {
    self.width = width
    self.height = height
    func inside(_ distance: Int) -> [Bool] { Morphology.eroded(person, width, height, by: distance) }
    func outside(_ distance: Int) -> [Bool] { Morphology.dilated(person, width, height, by: distance) }
    let inner = (solid: inside(solid), loose: inside(loose - Tuning.insideHair))
    let outer = (solid: outside(solid), loose: outside(loose))
    regions = [Region](repeating: .background, count: person.count)
    for index in regions.indices where valid[index] {
      if zone.mayBeHair[index] ? inner.loose[index] : inner.solid[index] {
        regions[index] = .person
      } else if zone.standsOut[index] || (zone.mayBeHair[index] ? outer.loose[index] : outer.solid[index]) {
        regions[index] = .unknown
      }
    }
  }

  /// Uncertain pixels inside the body are badges or shadows, not holes.
  private mutating func fillHoles() {
    let (labels, areas) = ConnectedComponents.label(regions.map { $0 != .person }, width: width, height: height)
    var isOpen = [Bool](repeating: false, count: areas.count)
    for index in labels.indices where regions[index] == .background { isOpen[Int(labels[index])] = true }
    let largestHole = width * height / Tuning.hole
    for index in labels.indices where labels[index] > 0 {
      let label = Int(labels[index])
      if !isOpen[label], areas[label] < largestHole { regions[index] = .person }
    }
  }
}
