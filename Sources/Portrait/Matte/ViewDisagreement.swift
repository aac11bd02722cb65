/// Resolves large areas about which the views of the segmentation disagree.
///
/// Along the person's edge uncertainty is natural, and thin. An uncertain area that is thicker than that is an object: the
/// crown of a hat, a hand, or a chair, a stranger, a bush behind the person. The widest view shows most of what the object
/// belongs to and is right about it far more often than the mean; the narrowest often sees neither where a hat ends nor
/// what a chair is. Measured on 232 photos: of 150 such areas, the widest view's mean is at least 0.8 for nearly all parts
/// of the person, and below it for nearly all of the background.
enum ViewDisagreement {
  /// The means that count as uncertain.
  private static let uncertain: ClosedRange<Float> = 0.1...0.9
  /// Uncertainty that reaches no further than this to either side, in pixels of the matte, is an edge: a 36th of the head's
  /// width.
  private static let reach = 5
  /// The radius in pixels within which the widest view's mean is taken.
  private static let neighbourhood = 8
  /// An area whose outline borders the background with no larger part than this is inside the person, such as a print.
  private static let leastContact = 0.02
  /// What the widest view says of the person at least.
  private static let person: Float = 0.8
  /// How steeply the result changes there, and its limits. Colours still may change it.
  private static let steepness: Float = 6
  private static let limits: ClosedRange<Float> = 0.15...0.95

  /// The mean of the views, with thick uncertain areas decided by the widest view.
  /// - Parameters:
  ///   - mean: the mean of all views, 0…1.
  ///   - widest: the widest view alone, of the same size.
  ///   - face: the face's box in pixels; nothing of the head is taken for background.
  static func resolved(mean: Plane<Float>, widest: Plane<Float>, face: Rectangle) -> Plane<Float> {
    let (width, height) = (mean.width, mean.height)
    let isUncertain = mean.values.map { uncertain.contains($0) }
    let cores = Morphology.eroded(isUncertain, width, height, by: reach)
    guard cores.contains(true) else { return mean }
    let near = Morphology.dilated(cores, width, height, by: reach)
    let thick = zip(near, isUncertain).map { $0 && $1 }
    let share = BoxBlur.apply(
      Plane(width: width, height: height, values: thick.map { $0 ? 1 : 0 }), radius: neighbourhood)
    let sum = BoxBlur.apply(
      Plane(width: width, height: height, values: zip(thick, widest.values).map { $0 ? $1 : 0 }), radius: neighbourhood)
    let (head, crown) = (Self.head(around: face), Self.crown(above: face))
    let isBeside = besideBackground(thick, mean: mean)
    var result = mean
    for index in thick.indices where thick[index] && isBeside[index] {
      let opinion = sum.values[index] / max(share.values[index], 1e-6)
      let resolved = min(limits.upperBound, max(limits.lowerBound, 0.5 + (opinion - person) * steepness))
      let (x, y) = (Double(index % width) + 0.5, Double(index / width) + 0.5)
      let isHead = head.ellipseContains(x: x, y: y) || crown.ellipseContains(x: x, y: y)
      result.values[index] = isHead ? max(mean.values[index], resolved) : resolved
    }
    return result
  }

  /// The areas that border the background, rather than only the person.
  private static func besideBackground(_ thick: [Bool], mean: Plane<Float>) -> [Bool] {
    let (width, height) = (mean.width, mean.height)
    let (labels, areas) = ConnectedComponents.label(thick, width: width, height: height)
    var outline = [Int](repeating: 0, count: areas.count)
    var contact = outline
    func look(_ label: Int32, at neighbour: Int) {
      guard label > 0, labels[neighbour] == 0 else { return }
      outline[Int(label)] += 1
      if mean.values[neighbour] < uncertain.lowerBound { contact[Int(label)] += 1 }
    }
    for y in 0..<height {
      for x in 0..<width {
        let at = y * width + x
        if x > 0 { look(labels[at], at: at - 1) }
        if x < width - 1 { look(labels[at], at: at + 1) }
        if y > 0 { look(labels[at], at: at - width) }
        if y < height - 1 { look(labels[at], at: at + width) }
      }
    }
    let isBeside = areas.indices.map { Double(contact[$0]) > leastContact * Double(outline[$0]) }
    return labels.map { $0 > 0 && isBeside[Int($0)] }
  }

  /// The head with short hair, whose ellipse touches the sides: hair of the wall's colour is uncertain too.
  private static func head(around face: Rectangle) -> Rectangle {
    Rectangle(
      x: face.x - face.width * 0.1, y: face.y - face.height * 0.4, width: face.width * 1.2, height: face.height * 1.4)
  }

  /// What stands straight above the head, such as the badge of a cap or a bun.
  private static func crown(above face: Rectangle) -> Rectangle {
    Rectangle(
      x: face.centre.x - face.width * 0.3, y: face.centre.y - face.height * 1.3, width: face.width * 0.6,
      height: face.height * 1.3)
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
