import AtelierProtocol

/// The months of a subscription. Month n begins n months after the first day, at the same time of day, or on the last
/// day of a month that lacks that day. Each is counted from the first day, so that 31 January is followed by 28
/// February and by 31 March.
struct MonthlyPeriods: Sendable, Equatable {
  /// One month of a subscription.
  struct Period: Sendable, Equatable {
    /// 0 for the first.
    var number: Int
    var starts: Timestamp
    var ends: Timestamp
  }

  /// The start of the first month.
  let starts: Timestamp
  /// The end of the subscription; nil for none.
  let ends: Timestamp?

  init(from starts: Timestamp, until ends: Timestamp?) {
    self.starts = starts
    self.ends = ends
  }

  /// The month that contains `now`; nil before the first and after the end.
  ///
  /// A remainder that is no whole month belongs to the month before it: a store's period may be some days longer than
  /// ours.
  func period(at now: Timestamp) -> Period? {
    guard now >= starts, ends.map({ now < $0 }) ?? true else { return nil }
    // No month has fewer than 28 days: the number is at most this, and not much lower.
    var number = Int((now.milliseconds - starts.milliseconds) / (28 * 86_400_000))
    while number > 0, start(of: number) > now { number -= 1 }
    while number > 0, let ends, start(of: number + 1) > ends { number -= 1 }
    let next = start(of: number + 1)
    guard let ends else { return Period(number: number, starts: start(of: number), ends: next) }
    let isLast = start(of: number + 2) > ends
    return Period(number: number, starts: start(of: number), ends: isLast ? ends : next)
  }

  /// The months that overlap with a time, in their order.
  func periods(from begin: Timestamp, until end: Timestamp) -> [Period] {
    var periods: [Period] = []
    var next = period(at: max(begin, starts))
    while let period = next, period.starts < end {
      periods.append(period)
      next = self.period(at: period.ends)
    }
    return periods
  }

  func start(of number: Int) -> Timestamp { starts.adding(months: number) }
}
