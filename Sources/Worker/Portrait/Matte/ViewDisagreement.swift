import Glibc

/// Resolves large areas about which the views of the segmentation disagree.
///
/// Along the person's edge uncertainty is natural, and thin. An uncertain area that is thicker than that is an object: the
/// crown of a hat, a shoulder at the photo's edge, or a chair, a stranger, a bush behind the person. The wider a view, the
/// more it shows of what the object belongs to, and the more often it is right; the narrowest sees neither where a hat ends
/// nor what a chair is.
enum ViewDisagreement {
  private typealias Tuning = MatteTuning.Disagreement

  /// The mean of the views, with thick uncertain areas decided by the two widest.
  /// - Parameters:
  ///   - mean: the mean of all views, 0…1.
  ///   - wide: the widest view and the next, each of the same size; asked for only where views disagree.
  ///   - face: the face's box in pixels; nothing of the head is taken for background.
  static func resolved(
    mean: Plane<Float>, wide: @autoclosure () -> (widest: Plane<Float>, second: Plane<Float>), face: Rectangle
  ) -> Plane<Float> {
    let (width, height) = (mean.width, mean.height)
    let (isUncertain, cores) = uncertainty(of: mean)
    guard cores.contains(true) else { return mean }
    let near = Morphology.dilated(cores, width, height, by: Tuning.reach)
    let thick = zip(near, isUncertain).map { $0 && $1 }
    let areas = Areas(thick, mean: mean, uncertain: Tuning.uncertain)
    func sums(_ values: [Float]) -> [Float] {
      let chosen = zip(thick, values).map { $0 ? $1 : 0 }
      return BoxBlur.apply(Plane(width: width, height: height, values: chosen), radius: Tuning.neighbourhood).values
    }
    let counts = sums([Float](repeating: 1, count: thick.count))
    let views = wide()
    let opinions = (widest: sums(views.widest.values), second: sums(views.second.values))
    let (weights, large, sure, limits) = (Tuning.weights, Tuning.large, Tuning.sure, Tuning.limits)
    var result = mean
    for index in thick.indices where thick[index] {
      let label = Int(areas.labels[index])
      guard areas.besideBackground(label) > Tuning.leastContact else { continue }
      let count = max(counts[index], 1e-6)
      let opinion = (widest: opinions.widest[index] / count, second: opinions.second[index] / count)
      let odds = Tuning.constant + weights.widest * opinion.widest + weights.second * opinion.second
        + weights.enclosed * areas.besidePerson(label) - max(0, areas.size(label) - large.from) / large.unit
      let likely = max(1 / (1 + expf(-odds * Tuning.steepness)), 0.5 + (opinion.widest - sure.from) * sure.steepness)
      let resolved = min(limits.upperBound, max(limits.lowerBound, likely))
      let (x, y) = (Double(index % width) + 0.5, Double(index / width) + 0.5)
      result.values[index] = isHead(x, y, face: face) ? max(mean.values[index], resolved) : resolved
    }
    return result
  }

  /// The connected areas, and what borders them.
  private struct Areas {
    let labels: [Int32]
    private let sizes: [Int]
    /// For each area, the pixels next to it, and those of them that are certainly the person or the background.
    private var outline: [Int]
    private var person: [Int]
    private var background: [Int]

    init(_ thick: [Bool], mean: Plane<Float>, uncertain: ClosedRange<Float>) {
      let (width, height) = (mean.width, mean.height)
      (labels, sizes) = ConnectedComponents.label(thick, width: width, height: height)
      outline = [Int](repeating: 0, count: sizes.count)
      (person, background) = (outline, outline)
      for at in labels.indices where labels[at] > 0 {
        let (x, y) = (at % width, at / width)
        if x > 0 { look(at, at - 1, mean, uncertain) }
        if x < width - 1 { look(at, at + 1, mean, uncertain) }
        if y > 0 { look(at, at - width, mean, uncertain) }
        if y < height - 1 { look(at, at + width, mean, uncertain) }
      }
    }

    private mutating func look(_ at: Int, _ neighbour: Int, _ mean: Plane<Float>, _ uncertain: ClosedRange<Float>) {
      guard labels[neighbour] == 0 else { return }
      let label = Int(labels[at])
      outline[label] += 1
      if mean.values[neighbour] > uncertain.upperBound { person[label] += 1 }
      if mean.values[neighbour] < uncertain.lowerBound { background[label] += 1 }
    }

    func size(_ label: Int) -> Float { Float(sizes[label]) }
    /// The part of all of the outline that borders the background.
    func besideBackground(_ label: Int) -> Double { Double(background[label]) / Double(max(1, outline[label])) }
    /// The part of the certain outline that borders the person.
    func besidePerson(_ label: Int) -> Float { Float(person[label]) / Float(person[label] + background[label] + 1) }
  }

  /// Which pixels are uncertain, and which of them are in the middle of what is thicker than an edge.
  static func uncertainty(of mean: Plane<Float>) -> (all: [Bool], cores: [Bool]) {
    let isUncertain = mean.values.map { Tuning.uncertain.contains($0) }
    return (isUncertain, Morphology.eroded(isUncertain, mean.width, mean.height, by: Tuning.reach))
  }

  /// Whether a point belongs to the head in any case.
  static func isHead(_ x: Double, _ y: Double, face: Rectangle) -> Bool {
    head(around: face).ellipseContains(x: x, y: y) || crown(above: face).ellipseContains(x: x, y: y)
  }

  /// The head with short hair, whose ellipse touches the sides: hair of the wall's colour is uncertain too.
  private static func head(around face: Rectangle) -> Rectangle {
    let (side, above) = Tuning.head
    return Rectangle(
      x: face.x - face.width * side, y: face.y - face.height * above, width: face.width * (1 + 2 * side),
      height: face.height * (1 + above))
  }

  /// What stands straight above the head, such as the badge of a cap or a bun.
  private static func crown(above face: Rectangle) -> Rectangle {
    let (side, above) = Tuning.crown
    return Rectangle(
      x: face.centre.x - face.width * side, y: face.centre.y - face.height * above, width: face.width * (2 * side),
      height: face.height * above)
  }
}

extension Rectangle {
  /// Whether a point is inside the ellipse that touches the rectangle's sides.
  func ellipseContains(x: Double, y: Double) -> Bool {
    let across = (x - centre.x) / max(width / 2, 1e-9)
    let down = (y - centre.y) / max(height / 2, 1e-9)
    return across * across + down * down <= 1
  }
}
