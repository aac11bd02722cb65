extension Schema {
  static let version4Queue = ""
}
