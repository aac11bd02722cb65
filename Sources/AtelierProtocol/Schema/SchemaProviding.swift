import JSONRPC

/// A type with a form of its own on the wire, which the members it decodes would not tell.
public protocol SchemaProviding {
  /// The JSON Schema of the type.
  static func schema(in builder: SchemaBuilder) -> JSONObject

  /// True where the schema is kept under the type's name and referred to.
  static var isNamed: Bool { get }

  /// Any valid value: stands in for one while the type around it is recorded.
  static var placeholder: Self { get }
}

extension SchemaProviding {
  public static var isNamed: Bool { true }
}
