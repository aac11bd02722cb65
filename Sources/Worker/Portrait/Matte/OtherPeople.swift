import Localization

/// Whether somebody else could not be left out.
extension FacesInView {
  private typealias Tuning = MatteTuning.Faces

  /// Whether another person stays in the picture, or borders on the main one, so that the cut between both is a guess.
  /// - Parameters:
  ///   - networks: how certainly each pixel is a person, 0…1, before others are removed.
  ///   - opacity: of what the picture shows, of the same size.
  func meetOthers(networks: Plane<Float>, opacity: Plane<Float>) -> Bool {
    guard !others.isEmpty else { return false }
    return others.contains { isShown($0, opacity) } || border(in: networks) > wanted.height * FaceTuning.Others.border
  }

  private func isShown(_ face: Rectangle, _ opacity: Plane<Float>) -> Bool {
    let (rows, columns) = (Self.lines(face.y, face.height, opacity.height), Self.lines(face.x, face.width, opacity.width))
    let shown = rows.reduce(0) { sum, y in sum + columns.count { opacity[$0, y] > 0.5 } }
    return Double(shown) > face.area * FaceTuning.Others.shown
  }

  private static func lines(_ first: Double, _ length: Double, _ limit: Int) -> Range<Int> {
    let start = max(0, min(limit, Int(max(0, first))))
    return start..<max(start, min(limit, Int(max(0, min(Double(limit), first + length)))))
  }

  /// The pixels at which the main person goes over into another one.
  private func border(in networks: Plane<Float>) -> Double {
    var count = 0
    for y in 0..<networks.height {
      var last: Bool?
      for x in 0..<networks.width {
        let isOwn: Bool? = networks[x, y] > 0.5 ? isNearest(x, y) : nil
        if let isOwn, let last, isOwn != last { count += 1 }
        last = isOwn
      }
    }
    return Double(count)
  }
}

extension PortraitWarning {
  static let anotherPerson = PortraitWarning(
    kind: .anotherPerson,
    message: "Another person is so close that a part of them may stay in the picture, or a part of you may be missing. "
      + "A photo of one person alone gives a better picture.")
}
