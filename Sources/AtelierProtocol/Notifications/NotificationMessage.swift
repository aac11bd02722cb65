/// A message that is not answered: its stored properties are its params, by name.
public protocol NotificationMessage: Codable, Sendable, Equatable, SchemaDescribed {
  /// The name on the wire.
  static var method: String { get }

  /// What it is, in a few words.
  static var title: String { get }

  static var example: Self { get }
}
