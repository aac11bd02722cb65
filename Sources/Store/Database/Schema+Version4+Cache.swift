extension Schema {
  static let version4Cache = ""
}
