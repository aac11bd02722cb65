import Glibc

/// Where the head is in a printed photo for a passport. Lengths are parts of the picture's height.
public struct PassportGeometry: Sendable, Equatable {
  private typealias Tuning = CropTuning.Passport

  /// Chin to crown, as the rule allows.
  public var headHeights: ClosedRange<Double>
  /// The eyes, counted from below, as the rule allows.
  public var eyeHeights: ClosedRange<Double>
  /// The usual height of the head: in the lower part of what is allowed, because hair needs room above and beside it.
  var usualHead: Double
  /// The least that is used, for high hair.
  var smallestHead: Double
  /// The chin, counted from below.
  var chin: Double

  /// 35 × 45 mm: ICAO Doc 9303-3, 3.9 and ISO/IEC 19794-5, 8.3.
  public static let icao = PassportGeometry(
    headHeights: 0.70...0.80, eyeHeights: 0.50...0.70, usualHead: 0.72, smallestHead: 0.702, chin: 0.16)
  /// 2 × 2 inches: U.S. Department of State, “Photo Requirements”: the head 1 to 1⅜ inches, the eyes 1⅛ to 1⅜ inches above
  /// the lower edge. India's Bureau of Immigration prints the same template.
  public static let twoInches = PassportGeometry(
    headHeights: 0.50...0.6875, eyeHeights: 0.5625...0.6875, usualHead: 0.60, smallestHead: 0.54, chin: 0.30)
  /// 50 × 70 mm: Immigration, Refugees and Citizenship Canada, “Passport photo specifications”: the face 31 to 36 mm from
  /// chin to crown. Nothing is said of the eyes.
  public static let canada = PassportGeometry(
    headHeights: 31.0 / 70...36.0 / 70, eyeHeights: 0.40...0.65, usualHead: 0.48, smallestHead: 0.45, chin: 0.28)
  /// 33 × 48 mm: GA/T 1180: the head 28 to 33 mm, 3 to 5 mm below the upper edge, the chin 7 mm or more above the lower one.
  public static let china = PassportGeometry(
    headHeights: 28.0 / 48...33.0 / 48, eyeHeights: 0.50...0.70, usualHead: 0.63, smallestHead: 0.61, chin: 0.29)

  private static let known = [icao, twoInches, canada, china]

  private func isOf(head: ClosedRange<Double>, eyes: ClosedRange<Double>?) -> Bool {
    let pairs = [(headHeights, head)] + (eyes.map { [(eyeHeights, $0)] } ?? [])
    let ends = pairs.flatMap { [($0.lowerBound, $1.lowerBound), ($0.upperBound, $1.upperBound)] }
    return ends.allSatisfy { abs($0 - $1) < Tuning.sameRule }
  }

  /// How far down the picture the eyes are, for a head of this height.
  func eyesFromTop(head: Double) -> Double { 1 - chin - head * Tuning.eyesInHead }

  /// The square whose middle columns are the picture.
  /// - Parameters:
  ///   - eyes: the point between the eyes, in pixels of the photo.
  ///   - chin: in pixels of the photo.
  ///   - roll: in degrees; levelled as far as a head is turned at all.
  ///   - head: its height; nil for the usual one.
  func square(eyes: Point, chin: Point, roll: Double, head: Double? = nil) -> CropSquare {
    let head = head ?? usualHead
    let limit = CropTuning.Planner.maximumRotation
    var square = CropSquare(centre: eyes, side: 0, rotation: max(-limit, min(limit, roll)))
    let down = square.directions.down
    let eyesToChin = (chin.x - eyes.x) * down.x + (chin.y - eyes.y) * down.y
    square.side = max(1, eyesToChin / Tuning.eyesInHead / head)
    let distance = (0.5 - eyesFromTop(head: head)) * square.side
    square.centre = Point(x: eyes.x + down.x * distance, y: eyes.y + down.y * distance)
    return square
  }

  /// The change that leaves room for high hair: none, or a smaller head.
  /// - Parameter hairTop: where the hair ends, in sides of the square for the usual head, counted from its top.
  /// - Returns: the change of that square, and whether the hair is inside.
  func adjustment(hairTop: Double) -> (change: CropFitter.Adjustment, isWhole: Bool) {
    let eyes = eyesFromTop(head: usualHead)
    var change = CropFitter.Adjustment()
    let steps = Tuning.headSteps
    for step in 0...steps {
      let head = usualHead + (smallestHead - usualHead) * Double(step) / Double(steps)
      let size = usualHead / head
      change = CropFitter.Adjustment(
        right: 0, down: eyes - 0.5 - (eyesFromTop(head: head) - 0.5) * size, size: size)
      let top = 0.5 + (hairTop - 0.5 - change.down) / size
      if top >= Tuning.hairMargin { return (change, true) }
    }
    return (change, false)
  }

  /// Where the hair ends, in rows of a field around the face; 0 when the hair goes on to the field's end.
  /// - Parameters:
  ///   - person: 0…1, how certainly each pixel is the person.
  ///   - face: the face's box in pixels of the field.
  static func hairTop(of person: Plane<Float>, face: Rectangle) -> Int {
    let centre = face.centre.x
    let reach = face.width * Tuning.hair.reach
    let columns = max(0, Int(centre - reach))..<min(person.width, max(0, Int(centre + reach)))
    let least = max(Tuning.hair.leastPixels, Int(face.width * Tuning.hair.least))
    return (0..<max(0, min(person.height, Int(face.y)))).first { y in
      columns.count { person[$0, y] > 0.5 } >= least
    } ?? max(0, min(person.height, Int(face.y)))
  }

  /// How many pixels of the picture the photo does not show.
  /// - Parameter width: of the field.
  static func missing(_ valid: [Bool], of width: Int, in picture: Rectangle) -> Int {
    let height = width > 0 ? valid.count / width : 0
    // The outermost pixels may be rounded into the picture.
    let columns = max(0, Int(picture.x) + 1)..<max(max(0, Int(picture.x) + 1), min(width, Int(picture.x + picture.width)))
    let rows = max(0, Int(picture.y) + 1)..<max(max(0, Int(picture.y) + 1), min(height, Int(picture.y + picture.height)))
    return rows.reduce(0) { count, y in count + columns.count { !valid[y * width + $0] } }
  }

  /// The part of the picture's width along which the photo ends inside the person.
  /// - Parameters:
  ///   - valid: whether the photo has each pixel of the field.
  ///   - picture: the picture in pixels of the field.
  static func cut(of person: Plane<Float>, valid: [Bool], in picture: Rectangle) -> Double {
    let (width, height) = (person.width, person.height)
    func line(_ start: Double, _ length: Double, _ limit: Int) -> Range<Int> {
      let first = max(0, min(limit, Int(start.rounded())))
      return first..<max(first, min(limit, Int((start + length).rounded())))
    }
    func isPerson(_ x: Int, _ y: Int) -> Bool {
      x >= 0 && y >= 0 && x < width && y < height && valid[y * width + x] && person[x, y] > 0.5
    }
    let columns = line(picture.x, picture.width, width)
    var count = 0
    for y in line(picture.y, picture.height, height) {
      for x in columns where !valid[y * width + x] {
        if isPerson(x - 1, y) || isPerson(x + 1, y) || isPerson(x, y - 1) || isPerson(x, y + 1) { count += 1 }
      }
    }
    return Double(count) / max(1, picture.width)
  }
}

extension PassportGeometry {
  /// The geometry of a rule.
  /// - Parameter eyes: nil where the rule says nothing of them; the head then has a little more room below than above.
  public init(head: ClosedRange<Double>, eyes: ClosedRange<Double>?) {
    if let known = Self.known.first(where: { $0.isOf(head: head, eyes: eyes) }) {
      self = known
      return
    }
    let (least, span) = (head.lowerBound, head.upperBound - head.lowerBound)
    usualHead = least + span * Tuning.usualHead
    smallestHead = least + span * Tuning.smallestHead
    chin = (1 - usualHead) * Tuning.belowHead
    headHeights = head
    if let eyes {
      // High enough for the smallest head as well; where that leaves too little above the usual one, it is smaller.
      let leastChin = max(Tuning.leastBelow, eyes.lowerBound - smallestHead * Tuning.eyesInHead)
      usualHead = max(smallestHead, min(usualHead, 1 - 2 * Tuning.hairMargin - leastChin))
      chin = (eyes.lowerBound + eyes.upperBound) / 2 - usualHead * Tuning.eyesInHead
      chin = max(leastChin, min(chin, 1 - usualHead - Tuning.hairMargin))
    }
    eyeHeights = eyes ?? chin + smallestHead * Tuning.eyesInHead...chin + usualHead * Tuning.eyesInHead
  }
}
