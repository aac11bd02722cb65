extension Schema {
  static let version4History = ""
}
