import AtelierProtocol

/// How long a pause is at least, whatever the other side says: a server that names no time, or none at all, must not be
/// asked without an end.
///
/// Doubles with every refusal in a row. A refusal of what was sent before the pause had ended is no further one: many
/// requests that meet the same limit are refused once.
public struct RefusalBackoff: Sendable, Equatable {
  /// The shortest and the longest of these pauses.
  public var pauses = Backoff(firstMs: 1_000, longestMs: 300_000)
  /// How long after a pause a refusal still counts as a further one, in milliseconds.
  static let rememberedMs: Int64 = 10 * 60_000

  public init() {}

  /// Whether a model that has refused so often in a row is asked as seldom as possible.
  public func isLongest(afterRefusals refusals: Int) -> Bool {
    pauses.fullMs(afterFailures: refusals) == pauses.longestMs
  }

  /// The pause to record: at least as long as the number of refusals in a row demands.
  /// - Parameters:
  ///   - pause: the pause that the refusal asks for.
  ///   - earlier: the recorded pause of the same model.
  ///   - sentAt: when the refused request was sent.
  public func lengthened(_ pause: Cooldown, after earlier: Cooldown?, sentAt: Timestamp) -> Cooldown {
    var pause = pause
    if let earlier, earlier.isRemembered(at: pause.setAt) {
      let isFurther = sentAt >= earlier.until && earlier.refusals < .max
      pause.refusals = isFurther ? earlier.refusals + 1 : earlier.refusals
    }
    let least = Int64(pauses.fullMs(afterFailures: pause.refusals))
    let (end, overflow) = pause.setAt.milliseconds.addingReportingOverflow(least)
    if !overflow { pause.until = max(pause.until, Timestamp(milliseconds: end)) }
    return pause
  }
}

extension Cooldown {
  /// Whether the next refusal is a further one in a row: some time after the pause as well.
  public func isRemembered(at now: Timestamp) -> Bool {
    let (end, overflow) = until.milliseconds.addingReportingOverflow(RefusalBackoff.rememberedMs)
    return setAt <= now && (overflow || now.milliseconds < end)
  }
}
