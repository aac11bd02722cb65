/// The heads in a square picture: the one wanted and those of others, as boxes in pixels.
struct Heads {
  /// From chin to forehead and cheek to cheek.
  var wanted: Rectangle
  var others: [Rectangle]

  /// The middle of the wanted face: surely the person.
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

  /// Takes from the mask what is nearer to another head than to the wanted one.
  ///
  /// The networks know persons from background but not one person from another. A face of somebody else is surely
  /// not the person; what belongs to it otherwise is left in doubt, for the picture's edges to decide.
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

  /// In face heights; below the chin, where bodies are, sideways counts half.
  private static func distance(_ x: Int, _ y: Int, from head: Rectangle) -> Double {
    let across = (Double(x) - head.centre.x) / head.height
    let down = (Double(y) - head.centre.y) / head.height
    if down <= 0.5 { return (across * across + down * down).squareRoot() }
    return (across * across / 4 + down * down / 9).squareRoot()
  }
}
