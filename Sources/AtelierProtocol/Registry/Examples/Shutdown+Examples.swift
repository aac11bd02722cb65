extension Shutdown {
  public static let title = "Prepare to leave"
  public static let errors: [ErrorKind] = []
  public static let examples = [RequestExample("Shut down", Shutdown(), answer: NullResult())]
}
