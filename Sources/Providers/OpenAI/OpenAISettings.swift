/// How OpenAI's Images API, or a server that imitates it, is reached and what it is asked for (REQUIREMENTS 3.3).
public struct OpenAISettings: Sendable, Equatable {
  /// A base URL that ends with the version, as `OPENAI_BASE_URL` usually does, is taken as it is.
  public var cloud: CloudSettings
  /// How many unfinished pictures a stream shows on the way, 0…3, and so how fine its progress is; each costs a little.
  /// nil: one from OpenAI itself, and no stream from other servers, of which few can.
  public var partialImages: Int?
  /// Such as `low` or `high`; nil leaves it to the server.
  public var quality: String?
  /// Whether the server takes a seed, which OpenAI's own API does not.
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
    baseURL: BaseURL(known: "https://api.openai.com"), apiVersion: "v1", model: "gpt-image-2",
    furtherModels: [
      "gpt-image-2.6-sunburst", "gpt-image-2.6-flare", "gpt-image-2.5-sunburst", "gpt-image-2.5-flare",
      "gpt-image-1.5", "gpt-image-1-mini", "chatgpt-image-latest",
    ])
}
