/// Lists the styles of headshots.
public struct StylesList: RequestMessage, Parameterless {
  public static let method = "styles/list"

  public init() {}

  /// The six styles: three angles, each with two backgrounds.
  public struct Result: Codable, Sendable, Equatable {
    /// The professional styles first, then the casual ones; both from left to right.
    public var styles: [Entry]

    public init(styles: [Entry]) {
      self.styles = styles
    }
  }

  /// One style and its texts for people.
  public struct Entry: Codable, Sendable, Equatable {
    /// The name of the style, such as `left-casual`.
    public var id: String
    /// A short title, for a button.
    public var title: String
    /// One sentence that describes the style.
    public var description: String
    /// The style, for `generate` as `style`.
    public var style: Style
    /// The providers that can make it; one on this machine only from a photo that shows the person so.
    public var providers: [ProviderID]
    /// The provider that makes it if the request names none; absent if only a named provider makes it.
    public var defaultProvider: ProviderID?
    /// The credits that a picture by the default provider costs a metered account.
    public var creditsPerImage: Int?
    /// What a picture by the default provider costs whoever pays that provider, in US dollars; absent if unknown.
    public var usdPerImage: Double?

    public init(
      id: String, title: String, description: String, style: Style, providers: [ProviderID],
      defaultProvider: ProviderID? = nil, creditsPerImage: Int? = nil, usdPerImage: Double? = nil
    ) {
      self.id = id
      self.title = title
      self.description = description
      self.style = style
      self.providers = providers
      self.defaultProvider = defaultProvider
      self.creditsPerImage = creditsPerImage
      self.usdPerImage = usdPerImage
    }
  }
}

extension StylesList.Entry {
  /// The entry of a style, in words for people.
  public init(style: Style, providers: [ProviderID]) {
    self.init(
      id: style.name, title: "\(style.nearestAngleName.title), \(style.background.rawValue)",
      description: "\(style.nearestAngleName.sentence), \(style.background.phrase).", style: style,
      providers: providers)
  }
}

extension Angle.Name {
  fileprivate var title: String {
    switch self {
    case .left: "To the left"
    case .front: "From the front"
    case .right: "To the right"
    }
  }

  fileprivate var sentence: String {
    switch self {
    case .left: "Turned a little to the left"
    case .front: "Looking straight into the camera"
    case .right: "Turned a little to the right"
    }
  }
}

extension Background {
  fileprivate var phrase: String {
    switch self {
    case .professional: "before a plain studio backdrop"
    case .casual: "before an everyday place, softly out of focus"
    }
  }
}
