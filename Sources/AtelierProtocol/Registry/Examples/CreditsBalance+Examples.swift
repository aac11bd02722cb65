extension CreditsBalance {
  public static let title = "See what there is to spend"
  public static let errors: [ErrorKind] = [.permissionDenied]

  public static let examples = [
    RequestExample(
      "A subscriber's", CreditsBalance(account: CreditExamples.anna), answer: CreditExamples.balance),
    RequestExample("The machine's own account", CreditsBalance(), answer: .unmetered(.owner)),
  ]
}
