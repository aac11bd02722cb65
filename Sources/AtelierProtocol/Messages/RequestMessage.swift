/// A method: its stored properties are its params, by name.
///
/// To add one: write its file here, list it in ``ProtocolRegistry`` with an example, regenerate the schema with
/// `make schema`, and describe it in `protocol/PROTOCOL.md`.
public protocol RequestMessage: Codable, Sendable, Equatable {
  /// The name on the wire.
  static var method: String { get }

  /// What it is answered with when all is done.
  associatedtype Result: Codable & Sendable & Equatable

  /// What goes on the wire: the result, or where there are several answers, one of them.
  associatedtype Answer: Codable & Sendable & Equatable = Result
}
