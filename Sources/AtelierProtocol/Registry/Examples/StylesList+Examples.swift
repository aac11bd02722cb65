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
