extension CreditsProducts {
  public static let title = "List what credits are sold as"
  public static let errors: [ErrorKind] = []

  public static let examples = [
    RequestExample(
      "A subscription and a bundle", CreditsProducts(),
      answer: Result(products: [CreditExamples.premium, CreditExamples.bundle]))
  ]
}
