import Glibc

/// Whether a head is turned as a style requests.
enum HeadPose {
  private typealias Tuning = FaceTuning.Pose

  /// Whether the person should know that the head is turned: it is, and no side was asked for.
  static func isNoticeable(_ yaw: Double, asked: Double?) -> Bool { abs(yaw) > Tuning.noticeable && (asked ?? 0) == 0 }

  /// - Parameters:
  ///   - found: the photo's yaw in degrees.
  ///   - asked: the wanted turn, −1…1 for ±90 degrees.
  /// - Throws: ``PortraitError/cannotTurnHead(asked:found:)``.
  static func check(found: Double, asked: Double) throws(PortraitError) {
    let degrees = max(-1, min(1, asked)) * 90
    let accepted = degrees == 0 ? Tuning.frontTolerance : Tuning.tolerance
    guard abs(found - degrees) <= accepted else { throw .cannotTurnHead(asked: degrees, found: found) }
  }
}
