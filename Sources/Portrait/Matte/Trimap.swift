/// The pixels that are certainly the person, those that are certainly not, and the unknown ones.
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

  /// The narrow band along a known edge.
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

  /// Uncertain pixels inside the body are badges or shadows, not holes.
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

  /// All chosen pixels whose neighbours within `distance` are chosen too; pixels beyond the edge count as chosen.
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

  /// Works row by row, in memory order, with a counter for each column.
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

/// The heads in a square picture: the main one and those of others, as boxes in pixels.
struct Heads {
  /// From chin to forehead and cheek to cheek.
  var wanted: Rectangle
  var others: [Rectangle]

  /// The centre of the main face, which is certainly the person.
  var seed: PixelRectangle {
    PixelRectangle(
      x: Int(wanted.centre.x - wanted.width / 4), y: Int(wanted.centre.y - wanted.height / 4),
      width: max(1, Int(wanted.width / 2)), height: max(1, Int(wanted.height / 2)))
  }

  /// Where there may be hair: around the head, down to below the chin.
  func mayBeHair(width: Int, height: Int) -> [Bool] {
    let middle = wanted.centre
    let bottom = middle.y + wanted.height * 0.75
    let reach = wanted.width * 1.5
    return (0..<width * height).map { index in
      Double(index / width) < bottom && abs(Double(index % width) - middle.x) < reach
    }
  }

  /// Removes from the mask what is nearer to another head than to the main one.
  ///
  /// The networks separate people from the background, but not one person from another. The face of another person is
  /// certainly not the main person; its surroundings become uncertain, so that the edges of the picture decide.
  func withoutOthers(_ mask: Plane<Float>) -> Plane<Float> {
    guard !others.isEmpty else { return mask }
    var result = mask
    for y in 0..<mask.height {
      for x in 0..<mask.width where mask[x, y] > 0 {
        let own = Self.distance(x, y, from: wanted)
        let theirs = others.map { Self.distance(x, y, from: $0) }.min() ?? .infinity
        guard theirs < own else { continue }
        let word = theirs < 0.55 ? 0 : Float(0.35 * own / max(own, theirs + 1))
        result[x, y] = min(mask[x, y], word)
      }
    }
    return result
  }

  /// In face heights. Below the chin, horizontal distances count half, because bodies are wider than heads.
  private static func distance(_ x: Int, _ y: Int, from head: Rectangle) -> Double {
    let across = (Double(x) - head.centre.x) / head.height
    let down = (Double(y) - head.centre.y) / head.height
    if down <= 0.5 { return (across * across + down * down).squareRoot() }
    return (across * across / 4 + down * down / 9).squareRoot()
  }
}

/// Finds connected pixels.
enum ConnectedComponents {
  /// The largest group of chosen pixels that touch by their sides, among the groups that touch `seed`, or among all if
  /// none does.
  static func largest(_ chosen: [Bool], width: Int, height: Int, meeting seed: PixelRectangle? = nil) -> [Bool] {
    let (labels, areas) = label(chosen, width: width, height: height)
    var candidates = Set<Int32>()
    if let seed {
      for y in clipped(seed.y, seed.height, height) {
        for x in clipped(seed.x, seed.width, width) where labels[y * width + x] > 0 {
          candidates.insert(labels[y * width + x])
        }
      }
    }
    if candidates.isEmpty { candidates = Set((1..<Int32(areas.count)).map { $0 }) }
    guard let best = candidates.max(by: { (areas[Int($0)], $1) < (areas[Int($1)], $0) }) else { return chosen }
    return labels.map { $0 == best }
  }

  private static func clipped(_ start: Int, _ length: Int, _ limit: Int) -> Range<Int> {
    let first = max(0, min(limit, start))
    return first..<max(first, min(limit, start + length))
  }

  /// The group of each pixel, from 1 on, 0 for pixels not chosen; and each group's number of pixels.
  static func label(_ chosen: [Bool], width: Int, height: Int) -> (labels: [Int32], areas: [Int]) {
    var labels = [Int32](repeating: 0, count: chosen.count)
    var areas = [0]
    var stack: [Int] = []
    for start in chosen.indices where chosen[start] && labels[start] == 0 {
      let label = Int32(areas.count)
      areas.append(0)
      labels[start] = label
      stack.append(start)
      while let at = stack.popLast() {
        areas[Int(label)] += 1
        let x = at % width
        if x > 0 { visit(at - 1) }
        if x + 1 < width { visit(at + 1) }
        if at >= width { visit(at - width) }
        if at + width < chosen.count { visit(at + width) }
      }

      func visit(_ neighbour: Int) {
        guard chosen[neighbour], labels[neighbour] == 0 else { return }
        labels[neighbour] = label
        stack.append(neighbour)
      }
    }
    return (labels, areas)
  }
}
