/// What is surely the person, what surely is not, and what has to be found out.
struct Trimap {
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
  ///   - doubt: pixels on either side of the mask's edge beyond which nothing is unknown.
  ///   - face: where the person's face is; what does not hang together with it is background.
  init(
    mask: Plane<Float>, exists: [Bool], inner: Int, outer: Int, doubt: Int, face: PixelRectangle
  ) {
    width = mask.width
    height = mask.height
    let likely = zip(mask.values, exists).map { $0 > 0.5 && $1 }
    let person = ConnectedComponents.largest(likely, width: width, height: height, meeting: face)
    let possible = Self.grown(zip(mask.values, exists).map { $0 > 0.12 && $1 }, width, height, by: outer)
    let certain = Self.shrunk(zip(person, mask.values).map { $0 && $1 > 0.93 }, width, height, by: inner)
    // Far from the edge the networks are right even where they are not sure.
    let near = Self.grown(person, width, height, by: doubt)
    let deep = Self.shrunk(person, width, height, by: doubt)
    regions = [Region](repeating: .background, count: mask.values.count)
    for index in regions.indices where exists[index] {
      if certain[index] || deep[index] {
        regions[index] = .person
      } else if possible[index], near[index] {
        regions[index] = .unknown
      }
    }
    fillHoles()
  }

  /// The narrow band along an edge that is known.
  /// - Parameters:
  ///   - solid: pixels on either side of the edge that stay unknown along clothes and skin.
  ///   - loose: likewise where there may be hair.
  init(edgeOf person: [Bool], mayBeHair: [Bool], exists: [Bool], width: Int, height: Int, solid: Int, loose: Int) {
    self.width = width
    self.height = height
    let inside = Self.shrunk(person, width, height, by: solid)
    let outside = Self.grown(person, width, height, by: solid)
    let looseInside = Self.shrunk(person, width, height, by: loose - 2)
    let looseOutside = Self.grown(person, width, height, by: loose)
    regions = [Region](repeating: .background, count: person.count)
    for index in regions.indices where exists[index] {
      if mayBeHair[index] ? looseInside[index] : inside[index] {
        regions[index] = .person
      } else if mayBeHair[index] ? looseOutside[index] : outside[index] {
        regions[index] = .unknown
      }
    }
  }

  /// Doubt in the middle of a body is about a badge or a shadow, not about a window through it.
  private mutating func fillHoles() {
    let (labels, areas) = ConnectedComponents.label(regions.map { $0 != .person }, width: width, height: height)
    var open = Set<Int32>()
    for index in labels.indices where regions[index] == .background { open.insert(labels[index]) }
    let largestHole = width * height / 200
    for index in labels.indices where labels[index] > 0 {
      if !open.contains(labels[index]), areas[Int(labels[index])] < largestHole { regions[index] = .person }
    }
  }

  /// All pixels within `distance` rows and columns of a chosen one.
  static func grown(_ chosen: [Bool], _ width: Int, _ height: Int, by distance: Int) -> [Bool] {
    vertically(horizontally(chosen, width, height, by: distance), width, height, by: distance)
  }

  /// All chosen pixels whose neighbours within `distance` are chosen too; beyond the edge everything is.
  static func shrunk(_ chosen: [Bool], _ width: Int, _ height: Int, by distance: Int) -> [Bool] {
    grown(chosen.map { !$0 }, width, height, by: distance).map { !$0 }
  }

  private static func horizontally(_ chosen: [Bool], _ width: Int, _ height: Int, by distance: Int) -> [Bool] {
    var result = chosen
    for row in 0..<height {
      let start = row * width
      var reach = -1
      for x in 0..<width {
        if chosen[start + x] { reach = x + distance }
        if x <= reach { result[start + x] = true }
      }
      reach = width
      for x in stride(from: width - 1, through: 0, by: -1) {
        if chosen[start + x] { reach = x - distance }
        if x >= reach { result[start + x] = true }
      }
    }
    return result
  }

  /// Row by row, as memory lies, with each column's reach beside.
  private static func vertically(_ chosen: [Bool], _ width: Int, _ height: Int, by distance: Int) -> [Bool] {
    var result = chosen
    var reaches = [Int](repeating: -1, count: width)
    for y in 0..<height {
      for x in 0..<width {
        if chosen[y * width + x] { reaches[x] = y + distance }
        if y <= reaches[x] { result[y * width + x] = true }
      }
    }
    reaches = [Int](repeating: height, count: width)
    for y in stride(from: height - 1, through: 0, by: -1) {
      for x in 0..<width {
        if chosen[y * width + x] { reaches[x] = y - distance }
        if y >= reaches[x] { result[y * width + x] = true }
      }
    }
    return result
  }
}
