extension Ping {
  public static let title = "See whether the service answers"
  public static let errors: [ErrorKind] = []
  public static let examples = [RequestExample("Ping", Ping(), answer: Result())]
}
