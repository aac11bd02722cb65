/// What stands behind the person in a headshot (REQUIREMENTS 1.2).
public enum Background: String, Codable, Sendable, CaseIterable {
  /// A studio backdrop.
  case professional
  /// A place, out of focus.
  case casual
}
