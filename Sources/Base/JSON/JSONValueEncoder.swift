/// Encodes Codable types as JSON values, with members in the order in which the type encodes them.
///
/// Optional members that are nil are omitted (as the synthesised `encodeIfPresent` does).
public struct JSONValueEncoder: Sendable {
  private let isDisclosed: (@Sendable (String) -> Bool)?
  private let userInfo: [CodingUserInfoKey: any Sendable]

  /// - Parameters:
  ///   - isDisclosed: which of the texts that not every reader may be told are encoded; without it, all are. Types that have
  ///     such texts ask for it, see ``DisclosingEncoder``.
  ///   - userInfo: what types that encode themselves may ask the encoder for.
  public init(
    disclosing isDisclosed: (@Sendable (String) -> Bool)? = nil, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) {
    self.isDisclosed = isDisclosed
    self.userInfo = userInfo
  }

  /// - Throws: `EncodingError` for an infinity or NaN, and any error that the type itself throws.
  public func encode(_ value: some Encodable) throws -> JSONValue {
    let node = JSONEncodingNode()
    try JSONEncoding(node: node, path: .root, disclosed: isDisclosed, information: userInfo).encode(value)
    return node.resolved()
  }
}

/// An encoder that was told which texts its reader may be told.
///
/// A type whose texts not every reader may be told asks `encoder as? any DisclosingEncoder`. Any other encoder is for a
/// reader who may be told all.
public protocol DisclosingEncoder: Encoder {
  /// Whether the reader may be told this text.
  func isDisclosed(_ text: String) -> Bool

  /// Leaves the value out of the object or array around it, in place of encoding it.
  func leaveOut()
}

/// The encoder for one value at one path.
struct JSONEncoding: DisclosingEncoder {
  let node: JSONEncodingNode
  let path: JSONPath
  let disclosed: (@Sendable (String) -> Bool)?
  let information: [CodingUserInfoKey: any Sendable]

  var codingPath: [any CodingKey] { path.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { information }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(JSONKeyedEncodingContainer(encoding: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return JSONUnkeyedEncodingContainer(encoding: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { JSONSingleValueEncodingContainer(encoding: self) }

  func isDisclosed(_ text: String) -> Bool { disclosed?(text) ?? true }
  func leaveOut() { node.content = .leftOut }

  /// The encoder for a member or an element of the value.
  func inner(_ inner: JSONEncodingNode, at key: some CodingKey) -> JSONEncoding {
    JSONEncoding(node: inner, path: path.appending(key), disclosed: disclosed, information: information)
  }

  /// Types with their own overload below reach this function only as a generic argument.
  func encode<T: Encodable>(_ value: T) throws {
    // Types are compared before any cast: failing casts would cost more than the encoding.
    if T.self == String.self, let string = value as? String {
      encode(string)
    } else if T.self == JSONValue.self, let value = value as? JSONValue {
      node.content = .value(value)
    } else if T.self == Int.self, let integer = value as? Int {
      encode(integer: integer)
    } else if T.self == Int64.self, let integer = value as? Int64 {
      encode(integer: integer)
    } else if T.self == Bool.self, let bool = value as? Bool {
      encode(bool)
    } else if T.self == Double.self, let double = value as? Double {
      try encode(floating: double)
    } else if T.self == Float.self, let float = value as? Float {
      try encode(floating: float)
    } else {
      // Integers of other widths encode themselves to a single-value container, which handles them.
      try value.encode(to: self)
    }
  }

  func encode(_ string: String) { node.content = .value(.string(string)) }
  func encode(_ bool: Bool) { node.content = .value(.bool(bool)) }
  func encode(integer: some FixedWidthInteger) { node.content = .value(.number(JSONNumber(integer))) }
  func encodeNil() { node.content = .value(.null) }

  func encode(floating value: some BinaryFloatingPoint & LosslessStringConvertible) throws {
    // A Float keeps its own shortest digits: 0.1, not 0.10000000149011612.
    guard value.isFinite, let number = JSONNumber(Double(value.description) ?? .nan) else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: codingPath, debugDescription: "JSON has no way to write \(value)."))
    }
    node.content = .value(.number(number))
  }
}

/// A value that is still being encoded; containers returned by an encoder share it by reference.
///
/// Used only by the one call of `encode` that made it, and not `Sendable`.
final class JSONEncodingNode {
  enum Content {
    case empty
    case value(JSONValue)
    case object([(key: String, node: JSONEncodingNode)])
    case array([JSONEncodingNode])
    case leftOut
  }

  var content = Content.empty

  func becomeObject() {
    if case .object = content { return }
    content = .object([])
  }

  func becomeArray() {
    if case .array = content { return }
    content = .array([])
  }

  func member(_ key: String) -> JSONEncodingNode {
    let node = JSONEncodingNode()
    guard case .object(var members) = content else { return node }
    content = .empty
    members.append((key, node))
    content = .object(members)
    return node
  }

  func element() -> JSONEncodingNode {
    let node = JSONEncodingNode()
    guard case .array(var elements) = content else { return node }
    content = .empty
    elements.append(node)
    content = .array(elements)
    return node
  }

  var elementCount: Int {
    if case .array(let elements) = content { elements.count } else { 0 }
  }

  private var isLeftOut: Bool {
    if case .leftOut = content { true } else { false }
  }

  /// The finished value; a type that wrote nothing is an empty object. What is left out and has nothing around it is null.
  func resolved() -> JSONValue {
    switch content {
    case .empty: .object([:])
    case .value(let value): value
    case .leftOut: .null
    case .object(let members):
      .object(JSONObject(members: members.lazy.filter { !$0.node.isLeftOut }.map { ($0.key, $0.node.resolved()) }))
    case .array(let elements): .array(elements.lazy.filter { !$0.isLeftOut }.map { $0.resolved() })
    }
  }
}

/// The members of one object, while a type encodes them.
struct JSONKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoding: JSONEncoding

  var codingPath: [any CodingKey] { encoding.codingPath }
  private var node: JSONEncodingNode { encoding.node }

  func encodeNil(forKey key: Key) throws { member(key).encodeNil() }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try member(key).encode(value) }

  // Overloads for the most frequent member types, resolved by the compiler instead of at run time.
  func encode(_ value: String, forKey key: Key) throws { node.member(key.stringValue).content = .value(.string(value)) }
  func encode(_ value: Bool, forKey key: Key) throws { node.member(key.stringValue).content = .value(.bool(value)) }
  func encode(_ value: Int, forKey key: Key) throws { member(key).encode(integer: value) }
  func encode(_ value: Int64, forKey key: Key) throws { member(key).encode(integer: value) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { member(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { member(JSONKey.superKey) }
  func superEncoder(forKey key: Key) -> any Encoder { member(key) }

  private func member(_ key: some CodingKey) -> JSONEncoding {
    encoding.inner(node.member(key.stringValue), at: key)
  }
}

/// The elements of one array, while a type encodes them.
struct JSONUnkeyedEncodingContainer: UnkeyedEncodingContainer {
  let encoding: JSONEncoding

  var codingPath: [any CodingKey] { encoding.codingPath }
  var count: Int { encoding.node.elementCount }

  func encodeNil() throws { element().encodeNil() }
  func encode<T: Encodable>(_ value: T) throws { try element().encode(value) }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
    element().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
  func superEncoder() -> any Encoder { element() }

  private func element() -> JSONEncoding {
    let key = JSONKey(intValue: count)
    return encoding.inner(encoding.node.element(), at: key)
  }
}

/// A value encoded as a whole.
struct JSONSingleValueEncodingContainer: SingleValueEncodingContainer {
  let encoding: JSONEncoding

  var codingPath: [any CodingKey] { encoding.codingPath }

  func encodeNil() throws { encoding.encodeNil() }
  func encode<T: Encodable>(_ value: T) throws { try encoding.encode(value) }

  // Without these overloads, the standard library and the function above would call each other endlessly.
  func encode(_ value: String) throws { encoding.encode(value) }
  func encode(_ value: Bool) throws { encoding.encode(value) }
  func encode(_ value: Int) throws { encoding.encode(integer: value) }
  func encode(_ value: Int8) throws { encoding.encode(integer: value) }
  func encode(_ value: Int16) throws { encoding.encode(integer: value) }
  func encode(_ value: Int32) throws { encoding.encode(integer: value) }
  func encode(_ value: Int64) throws { encoding.encode(integer: value) }
  func encode(_ value: UInt) throws { encoding.encode(integer: value) }
  func encode(_ value: UInt8) throws { encoding.encode(integer: value) }
  func encode(_ value: UInt16) throws { encoding.encode(integer: value) }
  func encode(_ value: UInt32) throws { encoding.encode(integer: value) }
  func encode(_ value: UInt64) throws { encoding.encode(integer: value) }
  func encode(_ value: Double) throws { try encoding.encode(floating: value) }
  func encode(_ value: Float) throws { try encoding.encode(floating: value) }
}
