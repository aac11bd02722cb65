extension Initialized {
  public static let title = "The host is ready"
  public static let example = Initialized()
}
