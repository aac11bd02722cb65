import AtelierClient
import JSON

/// The params of a request of the protocol, as a page or an app may say them: what the host decides itself is not theirs.
enum Params {
  /// Members that only the host sets, by their paths.
  private static let hostsOwn = [
    "account", "detach", "private", "progress", "inline", "directory", "output/directory", "output/inline", "image/path",
    "image/data", "image/mimeType", "references/*/path", "references/*/data", "references/*/mimeType",
  ]

  /// Those of the first level.
  static let hostsOwnMembers = hostsOwn.filter { !$0.contains("/") }

  /// - Throws: `invalid_params` for a member that the host decides.
  static func check(_ params: JSONObject) throws(WebError) {
    // An estimate may be about a regeneration, whose params stand one level below.
    for path in hostsOwn + hostsOwn.map({ "regenerate/\($0)" }) where has(path.split(separator: "/")[...], .object(params)) {
      throw WebError(
        JSONDecodingFailure(
          path: "/\(path)", expected: "absent",
          message: "/\(path) is decided by the host. Send photos to /photos, and name them by preparedId."))
    }
  }

  private static func has(_ path: ArraySlice<Substring>, _ value: JSONValue) -> Bool {
    guard let name = path.first else { return true }
    if name == "*" { return value.array?.contains { has(path.dropFirst(), $0) } ?? false }
    return value[String(name)].map { has(path.dropFirst(), $0) } ?? false
  }

  /// The message with these params.
  /// - Throws: `invalid_params`.
  static func message<Message: RequestMessage>(_ type: Message.Type, _ params: JSONObject) throws(WebError) -> Message {
    do throws(JSONDecodingFailure) {
      return try JSONValueDecoder(unknownMembers: .reject).decode(Message.self, from: .object(params))
    } catch {
      throw WebError(error)
    }
  }

  /// A result without the paths of the service's machine.
  static func json(_ result: some Encodable) throws -> JSONValue {
    try JSONValueEncoder(disclosing: { _ in false }).encode(result)
  }

  /// What the operator pays, and what only the operator can do: also in the error of a generation.
  private static let operatorsOwn: Set = ["costUsd", "usdPerImage", "hint"]

  /// The value without what is not for customers.
  static func forCustomers(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object):
      .object(
        JSONObject(
          members: object.filter { !operatorsOwn.contains($0.key) }.map { ($0.key, forCustomers($0.value)) }))
    case .array(let array): .array(array.map(forCustomers))
    default: value
    }
  }
}
