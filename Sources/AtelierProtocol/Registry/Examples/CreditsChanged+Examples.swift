extension CreditsChanged {
  public static let title = "There is more or less to spend"
  public static let example = CreditsChanged(account: CreditExamples.anna, available: 73, held: 1)
}
