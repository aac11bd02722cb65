extension Schema {
  static let version4Templates = ""
}
