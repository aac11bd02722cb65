/// Whether a head is held as a style asks.
enum HeadPose {
  /// The head may be turned this much more or less than asked, in degrees: a selfie is seldom quite frontal.
  static let tolerance = 26.0

  /// - Parameters:
  ///   - found: the photo's yaw in degrees.
  ///   - asked: the wanted turn, −1…1 for ±90 degrees.
  /// - Throws: ``PortraitError/cannotTurnHead(asked:found:)``.
  static func check(found: Double, asked: Double) throws(PortraitError) {
    let degrees = max(-1, min(1, asked)) * 90
    guard abs(found - degrees) <= tolerance else { throw .cannotTurnHead(asked: degrees, found: found) }
  }
}
