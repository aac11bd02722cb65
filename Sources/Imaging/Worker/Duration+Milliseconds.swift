extension Duration {
  /// Rounded down; never negative.
  var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return max(0, seconds.multipliedReportingOverflow(by: 1000).partialValue + attoseconds / 1_000_000_000_000_000)
  }
}
