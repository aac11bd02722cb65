extension InsufficientCreditsDetails {
  public static let example = InsufficientCreditsDetails(
    required: 4, available: 1,
    upgradeOptions: [UpgradeOption(CreditExamples.premium), UpgradeOption(CreditExamples.bundle)])
}

extension LimitDetails {
  public static let example = LimitDetails(
    scope: "minute", limit: 5, used: 5, resetsAt: Timestamp(milliseconds: 1_795_238_790_000))
}

extension InvalidReceiptDetails {
  public static let example = InvalidReceiptDetails(reason: "wrong_account")
}
