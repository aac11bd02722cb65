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
