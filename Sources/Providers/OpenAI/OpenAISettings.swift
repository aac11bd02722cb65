import CurlHTTP

/// How to reach OpenAI's Images API or a compatible server, and what to request from it.
public struct OpenAISettings: Sendable, Equatable {
  /// A base URL that ends with the version, as `OPENAI_BASE_URL` usually does, is used unchanged.
  public var cloud: CloudSettings
  /// The number of partial images in a stream, 0…3, which sets the granularity of its progress; each costs a little.
  /// Nil: one from OpenAI itself, and no stream from other servers, few of which support it.
  public var partialImages: Int?
  /// Such as `low` or `high`; nil leaves it to the server.
  public var quality: String?
  /// Whether the server accepts a seed; OpenAI's own API does not.
  public var takesSeed: Bool

  public init(
    cloud: CloudSettings = standard, partialImages: Int? = nil, quality: String? = nil, takesSeed: Bool = false
  ) {
    self.cloud = cloud
    self.partialImages = partialImages
    self.quality = quality
    self.takesSeed = takesSeed
  }

  /// OpenAI itself, with the models known on 2026-11-21.
  public static let standard = CloudSettings(
    baseURL: BaseURL(known: "api.openai.com"), apiVersion: "v1", model: "gpt-image-2", textModel: "gpt-5.4-mini",
    furtherModels: [
      "gpt-image-2.6-sunburst", "gpt-image-2.6-flare", "gpt-image-2.5-sunburst", "gpt-image-2.5-flare",
      "gpt-image-1.5", "gpt-image-1-mini", "chatgpt-image-latest",
    ])
}

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
