extension CropSquare {
  /// The square, moved or shrunk a little where its edge lies just beyond the photo's: else a line of backdrop, a few
  /// pixels wide, would stay between a person whom the photo cuts and the edge of the picture.
  ///
  /// A rotated square stays as it is: its edge crosses the photo's.
  /// - Parameters:
  ///   - width: the photo's sides, in the unit of the square.
  func snapped(toPhotoOf width: Double, _ height: Double) -> CropSquare {
    guard rotation == 0 else { return self }
    var result = self
    func isClose(_ gap: Double) -> Bool { gap > 0 && gap <= side * CropTuning.EdgeSnap.reach }
    /// Beyond the first edge and beyond the last one.
    func gaps(_ centre: Double, _ length: Double) -> (first: Double, last: Double) {
      (result.side / 2 - centre, centre + result.side / 2 - length)
    }
    for (centre, length) in [(centre.x, width), (centre.y, height)] {
      let gaps = gaps(centre, length)
      // Beyond both edges only a smaller square helps.
      if isClose(gaps.first), isClose(gaps.last) { result.side = min(result.side, length) }
    }
    func snapped(_ centre: Double, _ length: Double) -> Double {
      let gaps = gaps(centre, length)
      if isClose(gaps.first), gaps.last <= 0 { return min(result.side / 2, length - result.side / 2) }
      if isClose(gaps.last), gaps.first <= 0 { return max(length - result.side / 2, result.side / 2) }
      return centre
    }
    result.centre = Point(x: snapped(centre.x, width), y: snapped(centre.y, height))
    return result
  }
}
