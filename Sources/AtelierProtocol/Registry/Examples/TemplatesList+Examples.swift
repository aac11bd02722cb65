extension TemplatesList {
  public static let title = "List the hairstyles of the library"
  public static let errors: [ErrorKind] = []

  static let bob = Template(
    id: "jaw-length-bob", name: "Jaw-length bob", category: .short,
    prompt: "A one-length bob cut straight round the head to the line of the jaw, parted in the middle.",
    tags: ["straight", "blunt"], popularity: 12)

  public static let examples = [
    RequestExample(
      "Short and straight", TemplatesList(category: .short, tag: "straight", limit: 1),
      answer: Result(templates: [bob], nextCursor: "MTc6MTI6amF3LWxlbmd0aC1ib2I6SmF3LWxlbmd0aCBib2I")),
    RequestExample(
      "With a file of the operator's that has an error", TemplatesList(search: "wash and go"),
      answer: Result(
        templates: [],
        problems: [
          TemplateProblem(
            file: "summer.json", line: 4,
            message: "/templates/0/category must be short, medium, long, curly, updo, braids, color, trendy or beard, "
              + "not \"shrt\".")
        ])),
  ]
}
