/// Moves and shrinks the ideal square so that no cut edge of the person is visible.
///
/// The edge of the photo may cut the person: the shoulders at the sides, the hair at the top, the chest at the bottom.
/// Such a straight cut must lie on the edge of the square, never inside. The square with the least change that fulfils
/// this is taken.
struct CropFitter {
  /// A square relative to the ideal one: the shift of its centre and its side, in sides of the ideal square.
  struct Adjustment: Equatable {
    var right = 0.0
    var down = 0.0
    var size = 1.0
  }

  /// The smallest side: smaller squares would cut into the face.
  static let smallestSize = 0.5
  /// The part of a row or column that may show a cut, because segmentation is never exact.
  static let tolerance = 0.012

  /// The numbers of cut pixels above and to the left of each position.
  private let sums: [Int32]
  /// For each row, the numbers of the person's pixels to the left of each position.
  private let people: [Int32]
  private let size: Int
  /// The side of the examined field, in sides of the ideal square.
  private let field: Double

  /// - Parameters:
  ///   - person: 0…1 how certainly each pixel of the field is the person; the field is a square, levelled.
  ///   - valid: whether the photo has that pixel.
  ///   - field: the field's side in sides of the ideal square, both with the same middle.
  init(person: Plane<Float>, valid: [Bool], field: Double) {
    size = person.width
    self.field = field
    var sums = [Int32](repeating: 0, count: (size + 1) * (size + 1))
    var people = sums
    for y in 0..<size {
      var row: Int32 = 0
      for x in 0..<size {
        if Self.isCut(person, valid, x, y) { row += 1 }
        let isPerson = person[x, y] > 0.5 && valid[y * size + x]
        people[y * (size + 1) + x + 1] = people[y * (size + 1) + x] + (isPerson ? 1 : 0)
        sums[(y + 1) * (size + 1) + x + 1] = sums[y * (size + 1) + x + 1] + row
      }
    }
    self.sums = sums
    self.people = people
  }

  /// A pixel outside the photo next to one that shows the person.
  private static func isCut(_ person: Plane<Float>, _ valid: [Bool], _ x: Int, _ y: Int) -> Bool {
    let size = person.width
    guard !valid[y * size + x] else { return false }
    for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
      let (nx, ny) = (x + dx, y + dy)
      guard nx >= 0, ny >= 0, nx < size, ny < size, valid[ny * size + nx] else { continue }
      if person[nx, ny] > 0.4 { return true }
    }
    return false
  }

  /// The smallest change that leaves no cut inside; if there is none, the change that shows the least of a cut.
  func adjustment() -> Adjustment {
    var best = Adjustment()
    var least = Double.infinity
    for sizeStep in 0...25 {
      let size = 1 - Double(sizeStep) * 0.02
      for downStep in -7...7 {
        for rightStep in -6...6 {
          let candidate = Adjustment(right: Double(rightStep) * 0.02, down: Double(downStep) * 0.02, size: size)
          let cost = cost(of: candidate)
          if cost < least {
            least = cost
            best = candidate
          }
        }
      }
    }
    return best
  }

  /// The cost of a change: lowest for a tighter crop, higher for eyes at another height, highest for a face off the
  /// centre and for a head that is cut at the top.
  private func cost(of candidate: Adjustment) -> Double {
    // Where the eyes come to lie in the new square.
    let eyes = 0.5 + (CropPlanner.eyeHeight - 0.5 - candidate.down) / candidate.size
    guard (0.3...0.52).contains(eyes), candidate.size >= Self.smallestSize else { return .infinity }
    let lower = max(0, eyes - CropPlanner.eyeHeight)
    let higher = max(0, CropPlanner.eyeHeight - eyes)
    let frame = frame(of: candidate)
    guard frame.left < frame.right, frame.top < frame.bottom else { return .infinity }
    let width = Double(frame.right - frame.left)
    let change = (1 - candidate.size) + lower * 1.6 + higher * 2 + abs(candidate.right) / candidate.size * 3
    let head = Double(personPixels(inTopRowOf: frame)) / width
    let cut = Double(cutPixels(in: frame)) / width
    return change + head * 1.2 + (cut > Self.tolerance ? 10 + 20 * cut : 0)
  }

  /// The square in positions of the sums, reduced by one line on each side: a cut may touch the edge of the square.
  private func frame(of candidate: Adjustment) -> (left: Int, right: Int, top: Int, bottom: Int) {
    func place(_ shift: Double, _ edge: Double) -> Int {
      let position = (0.5 + (shift + edge * candidate.size / 2) / field) * Double(size)
      return max(0, min(size, Int(position.rounded())))
    }
    return (
      max(0, place(candidate.right, -1) - 1), min(size, place(candidate.right, 1) + 1),
      max(0, place(candidate.down, -1) - 1), min(size, place(candidate.down, 1) + 1)
    )
  }

  private func personPixels(inTopRowOf frame: (left: Int, right: Int, top: Int, bottom: Int)) -> Int {
    let row = min(frame.top, size - 1) * (size + 1)
    return Int(people[row + frame.right] - people[row + frame.left])
  }

  private func cutPixels(in frame: (left: Int, right: Int, top: Int, bottom: Int)) -> Int {
    let stride = size + 1
    return Int(
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
