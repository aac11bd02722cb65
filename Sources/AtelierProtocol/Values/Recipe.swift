/// What is to be made (REQUIREMENTS 1.1).
public enum Recipe: String, Codable, Sendable, CaseIterable {
  /// A portrait from a photo, in one of six styles.
  case headshot
  /// Another haircut on a photo.
  case hairstyle
  /// A free change to a photo.
  case edit
  /// A picture from words.
  case create
  /// Places from words, each verified.
  case places
}
