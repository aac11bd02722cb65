import NIOHTTP1

extension Credential {
  static let none = Credential(place: .none, key: "")

  init(_ headers: HTTPHeaders, _ target: RequestTarget) {
    if let key = headers.first(name: "x-goog-api-key"), !key.isEmpty {
      self.init(place: .header, key: key)
    } else if let key = target.queryValue("key"), !key.isEmpty {
      self.init(place: .query, key: key)
    } else if let value = headers.first(name: "Authorization"), value.lowercased().hasPrefix("bearer "),
      value.utf8.count > 7
    {
      self.init(place: .bearer, key: String(value.dropFirst(7)))
    } else {
      self = .none
    }
  }

  private static let secretHeaders: Set = [
    "x-goog-api-key", "authorization", "proxy-authorization", "cookie", "api-key", "x-api-key",
  ]

  /// The fields, the values of secret ones replaced by `present`.
  static func withoutSecrets(_ headers: HTTPHeaders) -> [HeaderField] {
    headers.map { name, value in
      HeaderField(name, secretHeaders.contains(name.lowercased()) ? "present" : value)
    }
  }
}
