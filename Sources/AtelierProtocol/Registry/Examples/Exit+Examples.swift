extension Exit {
  public static let title = "End the process"
  public static let example = Exit()
}
