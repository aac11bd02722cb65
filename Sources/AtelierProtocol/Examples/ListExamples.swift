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

extension ProviderChanged {
  public static let title = "A provider came or went"
  public static let example = ProviderChanged(id: .ondevice, available: true)
}

extension QueueStatus {
  public static let title = "See what waits"
  public static let errors: [ErrorKind] = [.permissionDenied]

  static let outage = Result(
    waiting: 3, paused: false, nextProbeAt: ExampleValues.finished,
    providers: [
      Line(
        id: .gemini, waiting: 3, oldestAt: ExampleValues.accepted, unreachableSince: ExampleValues.started,
        nextProbeAt: ExampleValues.finished)
    ])

  public static let examples = [
    RequestExample("While Gemini cannot be reached", QueueStatus(), answer: outage),
    RequestExample(
      "An account that has nothing waiting", QueueStatus(account: CreditExamples.anna),
      answer: Result(waiting: 0, paused: false)),
  ]
}

extension QueuePause {
  public static let title = "Hold back what waits"
  public static let errors: [ErrorKind] = [.permissionDenied, .storageFull]

  public static let examples = [
    RequestExample(
      "Everybody's", QueuePause(), answer: QueueStatus.Result(waiting: 0, paused: true))
  ]
}

extension QueueResume {
  public static let title = "Let what waits begin again"
  public static let errors: [ErrorKind] = [.permissionDenied, .storageFull]

  public static let examples = [
    RequestExample(
      "One account's", QueueResume(account: CreditExamples.anna),
      answer: QueueStatus.Result(waiting: 0, paused: false))
  ]
}

extension StylesList {
  public static let title = "List the styles of headshots"
  public static let errors: [ErrorKind] = []

  public static let examples = [
    RequestExample(
      "The styles", StylesList(),
      answer: Result(
        styles: Style.named.map { style in
          Entry(style: style, providers: style.angle == .front ? [.ondevice] : [])
        }))
  ]
}

extension TemplatesGet {
  public static let title = "Read one hairstyle of the library"
  public static let errors: [ErrorKind] = [.templateNotFound]

  public static let examples = [
    RequestExample("One hairstyle", TemplatesGet(id: "jaw-length-bob"), answer: TemplatesList.bob)
  ]
}

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
