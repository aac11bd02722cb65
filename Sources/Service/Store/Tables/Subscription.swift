import AtelierProtocol

/// A source of monthly credits for an account.
struct Subscription {
  var source: String
  var product: String
  /// Each month.
  var credits: Int
  var months: MonthlyPeriods

  /// Whether an operator gave it. Given and bought subscriptions are paid for separately, and their months add up.
  var isGiven: Bool { source.hasPrefix(Self.givenPrefix) }

  static let givenPrefix = "operator:"
}

extension Subscription {
  /// - Parameter row: any row that has `source`, `product`, `credits`, `starts` and `ends`.
  init(_ row: SQLRow) throws {
    source = try row.value("source")
    product = try row.value("product")
    credits = try row.value("credits")
    months = MonthlyPeriods(from: Timestamp(milliseconds: try row.value("starts")), until: try row.time("ends"))
  }
}
