/// The kind of picture to make.
public enum Recipe: String, Codable, Sendable, CaseIterable {
  /// A portrait from a photo, in one of six styles.
  case headshot
  /// Another haircut in a photo.
  case hairstyle
  /// Any other change to a photo.
  case edit
  /// A picture from a prompt.
  case create
  /// A list of verified places from a prompt.
  case places
}
