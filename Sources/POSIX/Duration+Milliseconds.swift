extension Duration {
  /// Rounded up, so that who waits as long finds the time reached.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (milliseconds, hasOverflowed) = seconds.multipliedReportingOverflow(by: 1_000)
    guard !hasOverflowed else { return seconds < 0 ? .min : .max }
    return milliseconds.addingReportingOverflow(Int64((Double(attoseconds) / 1e15).rounded(.up))).partialValue
  }
}
