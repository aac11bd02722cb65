extension Duration {
  /// Rounded up, so that a caller that waits this long has waited the full duration.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (milliseconds, hasOverflowed) = seconds.multipliedReportingOverflow(by: 1_000)
    guard !hasOverflowed else { return seconds < 0 ? .min : .max }
    return milliseconds.addingReportingOverflow(Int64((Double(attoseconds) / 1e15).rounded(.up))).partialValue
  }
}
