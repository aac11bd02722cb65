/// A message that is not answered: its stored properties are its params, by name.
public protocol NotificationMessage: Codable, Sendable, Equatable {
  /// The name on the wire.
  static var method: String { get }
}
