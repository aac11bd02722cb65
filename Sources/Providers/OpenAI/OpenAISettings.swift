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
    baseURL: BaseURL(known: "https://api.openai.com"), apiVersion: "v1", model: "gpt-image-2", textModel: "gpt-5.4-mini",
    furtherModels: [
      "gpt-image-2.6-sunburst", "gpt-image-2.6-flare", "gpt-image-2.5-sunburst", "gpt-image-2.5-flare",
      "gpt-image-1.5", "gpt-image-1-mini", "chatgpt-image-latest",
    ])
}

/// The server behind a base URL: its name, its paths, and its capabilities.
struct OpenAIServer: Sendable, Equatable {
  let isOfficial: Bool
  /// On this machine, where a key is seldom required.
  let isOnThisMachine: Bool
  /// Scheme, host and port in normalised form.
  let origin: String
  private let root: String

  init(_ settings: CloudSettings) {
    let base = settings.baseURL.text
    let version = settings.apiVersion
    root = version.isEmpty || base.hasSuffix("/\(version)") ? base : "\(base)/\(version)"
    let origin = Self.origin(of: settings.baseURL)
    self.origin = origin
    isOfficial = origin == "https://api.openai.com" || origin.hasPrefix("https:") && origin.hasSuffix(".api.openai.com")
    // `BaseURL` accepts `http` only for addresses of this machine.
    isOnThisMachine = BaseURL("http://\(base[(base.firstRange(of: "://")?.upperBound ?? base.startIndex)...])") != nil
  }

  var title: String { isOfficial ? "OpenAI" : "OpenAI-compatible server" }

  /// - Parameter path: the part after the version, without a leading slash.
  func url(_ path: String) -> String { "\(root)/\(path)" }

  /// The URL of an image that an answer gives as a link.
  ///
  /// Only the server itself is contacted: a link to another host could direct a request, and the key with it, to
  /// whoever wrote the answer.
  /// - Returns: nil for a link to another origin, and for an invalid link.
  func picture(at link: String) -> String? {
    if link.hasPrefix("/"), !link.hasPrefix("//") { return picture(at: origin + link) }
    let address = String(link.prefix { $0 != "?" && $0 != "#" })
    guard let target = BaseURL(address), Self.origin(of: target) == origin else { return nil }
    return String(link.prefix { $0 != "#" })
  }

  private static func origin(of address: BaseURL) -> String {
    let text = address.text
    let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
    let end = text[start...].firstIndex(of: "/") ?? text.endIndex
    let origin = text[..<end]
    let usualPort = text.hasPrefix("https:") ? ":443" : ":80"
    return String(origin.hasSuffix(usualPort) ? origin.dropLast(usualPort.count) : origin)
  }
}
