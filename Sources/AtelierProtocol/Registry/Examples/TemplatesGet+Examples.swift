extension TemplatesGet {
  public static let title = "Read one hairstyle of the library"
  public static let errors: [ErrorKind] = [.templateNotFound]

  public static let examples = [
    RequestExample("One hairstyle", TemplatesGet(id: "jaw-length-bob"), answer: TemplatesList.bob)
  ]
}
