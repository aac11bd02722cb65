/// A value that is still being written; containers handed out by an encoder share it by reference.
///
/// Touched only by the one call of `encode` that made it, and not `Sendable`.
final class JSONEncodingNode {
  enum Content {
    case empty
    case value(JSONValue)
    case object([(key: String, node: JSONEncodingNode)])
    case array([JSONEncodingNode])
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

  /// The finished value; a type that wrote nothing is an empty object.
  func resolved() -> JSONValue {
    switch content {
    case .empty: .object([:])
    case .value(let value): value
    case .object(let members): .object(JSONObject(members: members.lazy.map { ($0.key, $0.node.resolved()) }))
    case .array(let elements): .array(elements.map { $0.resolved() })
    }
  }
}
