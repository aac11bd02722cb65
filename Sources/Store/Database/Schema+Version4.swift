extension Schema {
  /// What came with the whole of the studio.
  static let version4 = [version4Templates, version4Cache, version4History, version4Queue].joined(separator: "\n")
}
