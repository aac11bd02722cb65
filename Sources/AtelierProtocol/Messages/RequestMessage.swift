/// A method: its stored properties are its params, by name.
///
/// To add one: write its file here, list it in ``ProtocolRegistry``, give its example, regenerate the schema with
/// `make schema`, and describe it in `protocol/PROTOCOL.md`.
public protocol RequestMessage: Codable, Sendable, Equatable {
  /// The name on the wire.
  static var method: String { get }

  /// What it is answered with.
  associatedtype Result: Codable & Sendable
}
