/// The server behind a base URL: its name, its paths, and its capabilities.
struct OpenAIServer: Sendable, Equatable {
  let isOfficial: Bool
  /// On this machine, where a key is seldom required.
  var isOnThisMachine: Bool { base.isOnThisMachine }
  private let base: BaseURL
  private let version: String

  init(_ settings: CloudSettings) {
    base = settings.baseURL
    version = settings.apiVersion
    let host = base.origin.host
    if case .name(let name) = host, name == "api.openai.com" || name.hasSuffix(".api.openai.com") {
      isOfficial = base.origin == URLOrigin(isSecure: true, host: host, port: 443)
    } else {
      isOfficial = false
    }
  }

  var title: String { isOfficial ? "OpenAI" : "OpenAI-compatible server" }

  /// - Parameter path: the part after the version, without a leading slash.
  func url(_ path: String) -> String {
    version.isEmpty || base.text.hasSuffix("/\(version)") ? base.appending(path) : base.appending("\(version)/\(path)")
  }

  /// The longest link that is followed, in bytes; servers refuse longer ones.
  static let longestLink = 8192

  /// The URL of an image that an answer gives as a link.
  ///
  /// Only the server itself is contacted, under the address that is configured: a link to another host could direct a
  /// request, and the key with it, to whoever wrote the answer.
  /// - Returns: nil for a link to another server, and for an invalid link.
  func picture(at link: String) -> String? {
    if link.hasPrefix("/"), !link.hasPrefix("//") { return picture(at: base.root + link) }
    let link = link.prefix { $0 != "#" }
    guard let target = BaseURL(String(link.prefix { $0 != "?" }), mostBytes: Self.longestLink),
      target.origin == base.origin
    else { return nil }
    let rest = link.dropFirst(target.rootLength)
    let isSpelledAlike = link.count - rest.count == base.root.count && link.lowercased().hasPrefix(base.root)
    return isSpelledAlike ? String(link) : base.root + rest
  }
}
