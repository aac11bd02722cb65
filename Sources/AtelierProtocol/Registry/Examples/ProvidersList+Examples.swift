extension ProvidersList {
  public static let title = "List the providers"
  public static let errors: [ErrorKind] = []

  public static let examples = [
    RequestExample(
      "The providers", ProvidersList(),
      answer: Result(providers: [
        Entry(
          id: .ondevice, title: "On this device", available: true, recipes: [.headshot], models: ["portrait-1"],
          local: true)
      ]))
  ]
}
