/// Moves and shrinks the ideal square so that the picture looks whole where the photo ends.
///
/// The edge of the photo may cut the person: the shoulders at the sides, the hair at the top, the chest at the bottom.
/// Such a straight cut should lie on the edge of the square, not inside. The square that costs least is taken: a
/// tighter one rather than one with the face low, but with room around the face, and with the hair that the photo
/// shows.
struct CropFitter {
  private typealias Tuning = CropTuning.Fitter

  /// A square relative to the ideal one: the shift of its centre and its side, in sides of the ideal square.
  struct Adjustment: Equatable {
    var right = 0.0
    var down = 0.0
    var size = 1.0
  }

  private let size: Int
  /// The side of the examined field, in sides of the ideal square.
  private let field: Double
  private let shape: PictureShape
  /// In pixels of the field.
  private let face: Rectangle
  /// Where the centre of the square should be across, in sides of the ideal square.
  private let target: Double
  private let cuts: SummedArea
  private let shoulderCuts: SummedArea
  private let hair: SummedArea
  /// The part of the face's box that the photo has.
  private let shownFace: SummedArea
  /// The row of the field at which the hair begins; nil where the photo cuts it.
  private let crown: Int?

  /// - Parameters:
  ///   - person: 0…1 how certainly each pixel of the field is the person; the field is a square, levelled.
  ///   - valid: whether the photo has that pixel.
  ///   - face: the face's box in pixels of the field.
  ///   - yaw: how far the head is turned, in degrees to either side.
  ///   - field: the field's side in sides of the ideal square, both with the same middle.
  ///   - shape: of the picture, whose side columns are not shown.
  init(
    person: Plane<Float>, valid: [Bool], face: Rectangle, yaw: Double, field: Double, shape: PictureShape = .square
  ) {
    let size = person.width
    self.shape = shape
    self.size = size
    self.field = field
    self.face = face
    let chin = Int(max(0, min(Double(size), face.y + face.height)))
    let ends = Ends(person, valid)
    cuts = SummedArea(size) { x, y in ends.isCut(x, y) && !(y >= chin && ends.isUpright(x, y)) }
    shoulderCuts = SummedArea(size) { x, y in y >= chin && ends.isUpright(x, y) }

    // Hair, hats and ears: above the mouth, up to two and a half faces wide.
    let centre = face.centre
    let mouth = face.y + face.height * Tuning.head.mouth
    let reach = face.width * Tuning.head.reach
    func isHead(_ x: Int, _ y: Int) -> Bool {
      Double(y) < mouth && abs(Double(x) - centre.x) < reach && person[x, y] > 0.5 && valid[y * size + x]
    }
    hair = SummedArea(size, where: isHead)
    shownFace = SummedArea(size) { x, y in
      valid[y * size + x] && face.contains(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
    }
    crown = Self.crown(size: size, valid: valid, isHead: isHead)
    let columns = (0..<size).filter { x in (0..<max(0, min(size, Int(mouth)))).contains { isHead(x, $0) } }
    let turned = max(0, min(1, (abs(yaw) - Tuning.turn.least) / (Tuning.turn.full - Tuning.turn.least)))
    let head = columns.first.map { Double($0 + columns[columns.count - 1] + 1) / 2 } ?? centre.x
    target = max(-Tuning.hairShift, min(Tuning.hairShift, ((centre.x + head) / 2 / Double(size) - 0.5) * field)) * turned
  }

  /// The first row of the head, if the photo goes on above it, as far as the field shows.
  private static func crown(size: Int, valid: [Bool], isHead: (_ x: Int, _ y: Int) -> Bool) -> Int? {
    for y in 0..<size {
      let columns = (0..<size).filter { isHead($0, y) }
      // A few pixels alone are noise.
      guard columns.count > size / Tuning.noise else { continue }
      let above = max(0, y - 2)
      return columns.allSatisfy { valid[above * size + $0] } ? y : nil
    }
    return nil
  }

  /// The change that costs least, found in two steps: on a wide grid, then on a narrow one around its best place.
  func adjustment() -> Adjustment {
    let (coarse, fine) = Tuning.step
    let steps = Tuning.steps
    let eyeRange = eyeRange
    var best = Adjustment()
    var least = Double.infinity
    func consider(_ candidate: Adjustment) {
      let cost = cost(of: candidate, eyeRange)
      if cost < least {
        least = cost
        best = candidate
      }
    }
    for sizeStep in 0...steps.size {
      for downStep in -steps.shift...steps.shift {
        for rightStep in -steps.shift...steps.shift {
          consider(
            Adjustment(
              right: Double(rightStep) * coarse, down: Double(downStep) * coarse, size: 1 - Double(sizeStep) * coarse))
        }
      }
    }
    let middle = best
    for sizeStep in -steps.fine...steps.fine where middle.size + Double(sizeStep) * fine <= 1 {
      for downStep in -steps.fine...steps.fine {
        for rightStep in -steps.fine...steps.fine {
          consider(
            Adjustment(
              right: middle.right + Double(rightStep) * fine, down: middle.down + Double(downStep) * fine,
              size: middle.size + Double(sizeStep) * fine))
        }
      }
    }
    return best
  }

  /// Where the eyes may lie: further down where the ideal square cuts hair that the photo has.
  private var eyeRange: ClosedRange<Double> {
    let usual = Tuning.eyeRange
    guard let crown, crown < frame(of: Adjustment()).top else { return usual }
    return usual.lowerBound...Tuning.eyesBelowHighHair
  }

  private func cost(of candidate: Adjustment, _ eyeRange: ClosedRange<Double>) -> Double {
    // Where the eyes come to lie in the new square.
    let eyes = 0.5 + (shape.eyeHeight - 0.5 - candidate.down) / candidate.size
    guard eyeRange.contains(eyes), candidate.size >= Tuning.smallestSize else { return .infinity }
    let frame = frame(of: candidate)
    guard frame.left < frame.right, frame.top < frame.bottom else { return .infinity }
    let lower = max(0, eyes - shape.eyeHeight)
    var cost = 1 - candidate.size + max(0, Tuning.comfortableSize - candidate.size) * Tuning.Cost.tightness
    cost += lower * Tuning.Cost.lowEyes.linear + lower * lower * Tuning.Cost.lowEyes.square
    cost += max(0, shape.eyeHeight - eyes) * Tuning.Cost.highEyes
    cost += max(0, Tuning.Cost.veryHighEyes.from - eyes) * Tuning.Cost.veryHighEyes.each
    cost += abs(candidate.right - target) / candidate.size * Tuning.Cost.offCentre
    cost += Double(hair.total - hair.count(in: frame)) / max(1, face.area) * Tuning.Cost.lostHair
    cost += missingMargin(in: frame) * Tuning.Cost.missingMargin
    cost += Double(shownFace.total - shownFace.count(in: frame)) / max(1, face.area) * Tuning.Cost.lostFace
    cost += crownCost(of: frame)
    let width = Double(frame.right - frame.left)
    let cut = Double(cuts.count(in: frame)) / width
    if cut > Tuning.tolerance { cost += Tuning.Cost.cut.any + Tuning.Cost.cut.each * cut }
    let cutShoulder = Double(shoulderCuts.count(in: frame)) / width
    if cutShoulder > Tuning.tolerance { cost += Tuning.Cost.cutShoulder.any + Tuning.Cost.cutShoulder.each * cutShoulder }
    return cost
  }

  /// What the crown lacks of its room, as far as the photo has it.
  private func crownCost(of frame: SummedArea.Frame) -> Double {
    guard let crown else { return 0 }
    let width = Double(frame.right - frame.left)
    let missing = Double(frame.top - crown) / width + Tuning.crownMargin
    return missing <= 0 ? 0 : missing * Tuning.Cost.cutCrown.each + (frame.top >= crown ? Tuning.Cost.cutCrown.any : 0)
  }

  /// What the face lacks of its margins, in sides of the square.
  private func missingMargin(in frame: SummedArea.Frame) -> Double {
    let width = Double(frame.right - frame.left)
    let (across, down) = (face.width * Tuning.faceMargin, face.height * Tuning.faceMargin)
    let missing = [
      Double(frame.left) - face.x + across, face.x + face.width + across - Double(frame.right),
      Double(frame.top) - face.y + down,
      max(down, width * Tuning.chinMargin) - (Double(frame.bottom) - face.y - face.height),
    ]
    return missing.reduce(0) { $0 + max(0, $1) } / width
  }

  /// The square in pixels of the field, enlarged by a line on each side: no cut may even touch its edge.
  private func frame(of candidate: Adjustment) -> SummedArea.Frame {
    func place(_ shift: Double, _ edge: Double) -> Int {
      let position = (0.5 + (shift + edge * candidate.size / 2) / field) * Double(size)
      return max(0, min(size, Int(position.rounded())))
    }
    return SummedArea.Frame(
      left: max(0, place(candidate.right, -shape.aspect) - 1),
      right: min(size, place(candidate.right, shape.aspect) + 1),
      top: max(0, place(candidate.down, -1) - 1), bottom: min(size, place(candidate.down, 1) + 1))
  }
}

/// Where the photo ends, and what it cuts there.
private struct Ends {
  private let person: [Bool]
  private let valid: [Bool]
  private let size: Int

  init(_ mask: Plane<Float>, _ valid: [Bool]) {
    size = mask.width
    self.valid = valid
    person = zip(mask.values, valid).map { $0 > CropTuning.Fitter.person && $1 }
  }

  /// Whether the photo lacks this pixel, but shows the person next to it.
  func isCut(_ x: Int, _ y: Int) -> Bool { !valid[y * size + x] && (isBeside(x, y) || isAboveOrBelow(x, y)) }

  /// The same, next to a side of the photo.
  func isUpright(_ x: Int, _ y: Int) -> Bool { !valid[y * size + x] && isBeside(x, y) && !isAboveOrBelow(x, y) }

  private func isBeside(_ x: Int, _ y: Int) -> Bool {
    (x > 0 && person[y * size + x - 1]) || (x + 1 < size && person[y * size + x + 1])
  }

  private func isAboveOrBelow(_ x: Int, _ y: Int) -> Bool {
    (y > 0 && person[(y - 1) * size + x]) || (y + 1 < size && person[(y + 1) * size + x])
  }
}

/// Counts pixels with a property in any rectangle, at once.
private struct SummedArea {
  /// A rectangle of pixels, without its right column and its bottom row.
  struct Frame {
    var left: Int
    var right: Int
    var top: Int
    var bottom: Int
  }

  /// The numbers above and to the left of each position.
  private let sums: [Int32]
  private let stride: Int

  init(_ size: Int, where hasProperty: (_ x: Int, _ y: Int) -> Bool) {
    stride = size + 1
    var sums = [Int32](repeating: 0, count: stride * stride)
    for y in 0..<size {
      var row: Int32 = 0
      for x in 0..<size {
        if hasProperty(x, y) { row += 1 }
        sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] + row
      }
    }
    self.sums = sums
  }

  var total: Int { Int(sums[sums.count - 1]) }

  func count(in frame: Frame) -> Int {
    Int(
      sums[frame.bottom * stride + frame.right] - sums[frame.top * stride + frame.right]
        - sums[frame.bottom * stride + frame.left] + sums[frame.top * stride + frame.left])
  }
}

extension CropSquare {
  /// The square after an adjustment along its own axes.
  func adjusted(by adjustment: CropFitter.Adjustment) -> CropSquare {
    CropSquare(
      centre: point(0.5 + adjustment.right, 0.5 + adjustment.down), side: side * adjustment.size, rotation: rotation)
  }
}
