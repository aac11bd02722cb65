/// The faces in a square picture: the main one and those of others, as boxes in pixels.
struct FacesInView {
  private typealias Tuning = MatteTuning.Faces

  /// From chin to forehead and cheek to cheek.
  var wanted: Rectangle
  /// Those that are cut away.
  var others: [Rectangle]
  /// Those that stay beside the main one.
  var companions: [Rectangle] = []

  /// The centre of the main face, which is certainly the person.
  var seed: PixelRectangle { Self.centre(of: wanted) }
  var companionSeeds: [PixelRectangle] { companions.map(Self.centre) }

  private static func centre(of face: Rectangle) -> PixelRectangle {
    PixelRectangle(
      x: Int(face.centre.x - face.width / 4), y: Int(face.centre.y - face.height / 4),
      width: max(1, Int(face.width / 2)), height: max(1, Int(face.height / 2)))
  }

  /// Where there may be hair: around the head, down to `below` face heights under the face's centre; 0.5 is the chin.
  func mayBeHair(width: Int, height: Int, below: Double = Tuning.hair.below) -> [Bool] {
    let middle = wanted.centre
    let bottom = middle.y + wanted.height * below
    let reach = wanted.width * Tuning.hair.reach
    var result = [Bool](repeating: false, count: width * height)
    for y in 0..<height where Double(y) < bottom {
      for x in 0..<width where abs(Double(x) - middle.x) < reach { result[y * width + x] = true }
    }
    return result
  }

  /// The face from chin to hairline and from ear to ear: an ellipse that is a little larger than the face's box, and
  /// higher by the upper half of the forehead, which the box leaves out.
  func hull(width: Int, height: Int) -> [Bool] {
    let hull = Tuning.hull
    let (top, bottom) = (wanted.y - wanted.height * hull.above, wanted.y + wanted.height * hull.below)
    let (across, down) = (wanted.width * hull.reach, (bottom - top) / 2)
    var result = [Bool](repeating: false, count: width * height)
    let rows = (first: min(height, max(0, Int(top))), end: min(height, max(0, Int(bottom) + 1)))
    for y in rows.first..<max(rows.first, rows.end) {
      let distance = (Double(y) + 0.5 - (top + bottom) / 2) / down
      let reach = across * max(0, 1 - distance * distance).squareRoot()
      let first = min(width, max(0, Int((wanted.centre.x - reach).rounded())))
      let end = min(width, max(0, Int((wanted.centre.x + reach).rounded())))
      for x in first..<max(first, end) { result[y * width + x] = true }
    }
    return result
  }

  /// Removes from the mask what is nearer to another head than to the main one.
  ///
  /// The networks separate people from the background, but not one person from another. The face of another person is
  /// certainly not the main person; its surroundings become uncertain, so that the edges of the picture decide. A head
  /// beside the main person's chest stays, with its body: such as a child in the arms, which cannot be cut out without
  /// tearing what is behind it, or a stranger behind the shoulder, whose body does not show.
  func withoutOthers(_ mask: Plane<Float>) -> Plane<Float> {
    let others = others.filter { !isBesideChest($0) }
    guard !others.isEmpty else { return mask }
    var result = mask
    for y in 0..<mask.height {
      for x in 0..<mask.width where mask[x, y] > 0 {
        let own = Self.distance(x, y, from: wanted)
        let theirs = others.map { Self.distance(x, y, from: $0) }.min() ?? .infinity
        guard theirs < own else { continue }
        let prior = theirs < Tuning.others.head ? 0 : Float(Tuning.others.most * own / max(own, theirs + 1))
        result[x, y] = min(mask[x, y], prior)
      }
    }
    return result
  }

  /// Whether a pixel is nearer to the main face than to any other that is cut away.
  func isNearest(_ x: Int, _ y: Int) -> Bool {
    let own = Self.distance(x, y, from: wanted)
    return others.allSatisfy { isBesideChest($0) || Self.distance(x, y, from: $0) >= own }
  }

  private func isBesideChest(_ other: Rectangle) -> Bool {
    let across = (other.centre.x - wanted.centre.x) / wanted.height
    let down = (other.centre.y - wanted.centre.y) / wanted.height
    return abs(across) < Tuning.chest.across && down > Tuning.chest.down
  }

  /// In face heights. Below the chin, distances count less: see ``MatteTuning/Faces/body``.
  private static func distance(_ x: Int, _ y: Int, from head: Rectangle) -> Double {
    let across = (Double(x) - head.centre.x) / head.height
    let down = (Double(y) - head.centre.y) / head.height
    if down <= 0.5 { return (across * across + down * down).squareRoot() }
    return (across * across / Tuning.body.across + down * down / Tuning.body.down).squareRoot()
  }
}
