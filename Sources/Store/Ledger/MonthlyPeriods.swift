import AtelierProtocol

/// The months of a subscription: each begins as many months after the first day as it has number, at that day's time; on
/// the month's last day where that day is missing. Counted from the first day every time, so that 31 January is followed
/// by 28 February and by 31 March (REQUIREMENTS 6.2).
struct MonthlyPeriods: Sendable, Equatable {
  /// One month of it.
  struct Period: Sendable, Equatable {
    /// 0 for the first.
    var number: Int
    var starts: Timestamp
    var ends: Timestamp
  }

  /// The anchor.
  let starts: Timestamp
  /// When all is over; nil for never.
  let ends: Timestamp?

  init(from starts: Timestamp, until ends: Timestamp?) {
    self.starts = starts
    self.ends = ends
  }

  /// The month `now` lies in; nil before the first and after the end.
  ///
  /// A rest that is no whole month belongs to the month before it: a store's period may be some days longer than ours.
  func period(at now: Timestamp) -> Period? {
    guard now >= starts, ends.map({ now < $0 }) ?? true else { return nil }
    // No month has fewer than 28 days: the number is not higher than this, and not much lower.
    var number = Int((now.milliseconds - starts.milliseconds) / (28 * 86_400_000))
    while number > 0, start(of: number) > now { number -= 1 }
    while number > 0, let ends, start(of: number + 1) > ends { number -= 1 }
    let next = start(of: number + 1)
    guard let ends else { return Period(number: number, starts: start(of: number), ends: next) }
    let isLast = start(of: number + 2) > ends
    return Period(number: number, starts: start(of: number), ends: isLast ? ends : next)
  }

  func start(of number: Int) -> Timestamp { starts.adding(months: number) }
}
