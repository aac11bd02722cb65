/// Lists the styles of headshots.
public struct StylesList: RequestMessage, Parameterless {
  public static let method = "styles/list"

  public init() {}

  /// The six styles with a name, which are three angles, each with two backgrounds; and what else may be chosen.
  public struct Result: Codable, Sendable, Equatable {
    /// The professional styles first, then the casual ones; both from left to right.
    public var styles: [Entry]
    /// The backgrounds, each of which goes with every angle.
    public var backgrounds: [BackgroundEntry]
    /// What a headshot made on this machine can be; absent if no provider here makes it so. The providers elsewhere have
    /// formats of their own.
    public var output: OutputChoices?

    public init(styles: [Entry], backgrounds: [BackgroundEntry], output: OutputChoices? = nil) {
      self.styles = styles
      self.backgrounds = backgrounds
      self.output = output
    }
  }

  /// One background and its texts for people.
  public struct BackgroundEntry: Codable, Sendable, Equatable {
    /// The background, for `style` as `background`; `#rrggbb` stands for every colour.
    public var id: String
    /// A short title, for a button.
    public var title: String
    /// One sentence that describes the background.
    public var description: String
    /// The providers that can make it.
    public var providers: [ProviderID]

    public init(id: String, title: String, description: String, providers: [ProviderID]) {
      self.id = id
      self.title = title
      self.description = description
      self.providers = providers
    }
  }

  /// What `output` of a headshot made on this machine may ask for.
  public struct OutputChoices: Codable, Sendable, Equatable {
    /// The formats, the default format first.
    public var formats: [PictureFormat]
    /// The shapes, for `aspectRatio`, the default shape first.
    public var aspectRatios: [String]
    /// The smallest longest side, in pixels, for `size`.
    public var minimumSize: Int
    /// The largest longest side, in pixels, for `size`.
    public var maximumSize: Int
    /// The longest side, in pixels, if the request names no size.
    public var defaultSize: Int
    /// The crops that replace an aspect ratio.
    public var crops: [PictureCrop]
    /// The sizes of photos for passports, for `passportSize`, the default size first.
    public var passportSizes: [PassportSize]
    /// The presets that `passportSize` may name, in the order of their names: what is built in, and what the operator has
    /// added.
    public var passportPresets: [PassportPreset]?
    /// Whether a picture can come with its matte.
    public var matte: Bool

    public init(
      formats: [PictureFormat], aspectRatios: [String], minimumSize: Int, maximumSize: Int, defaultSize: Int,
      crops: [PictureCrop], passportSizes: [PassportSize], passportPresets: [PassportPreset]? = nil, matte: Bool
    ) {
      self.formats = formats
      self.aspectRatios = aspectRatios
      self.minimumSize = minimumSize
      self.maximumSize = maximumSize
      self.defaultSize = defaultSize
      self.crops = crops
      self.passportSizes = passportSizes
      self.passportPresets = passportPresets
      self.matte = matte
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
      id: style.name, title: "\(style.nearestAngleName.title), \((style.background ?? .usual).text)",
      description: "\(style.nearestAngleName.sentence), \((style.background ?? .usual).phrase).", style: style,
      providers: providers)
  }
}

extension StylesList.BackgroundEntry {
  /// The entry of a background that has a name, in words for people.
  public init(background: Background, providers: [ProviderID]) {
    let phrase = background.phrase
    self.init(
      id: background.text, title: background.text.prefix(1).uppercased() + background.text.dropFirst(),
      description: phrase.prefix(1).uppercased() + phrase.dropFirst() + ".", providers: providers)
  }

  /// The entry that stands for every colour.
  public static func everyColour(providers: [ProviderID]) -> StylesList.BackgroundEntry {
    StylesList.BackgroundEntry(
      id: "#rrggbb", title: "A colour",
      description: "Before any colour of sRGB without a shade, in hexadecimal digits such as #1e90ff.",
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
    case .auto: "before a plain studio backdrop, or the photo's own background, out of focus, whichever looks better"
    case .professional: "before a plain studio backdrop"
    case .casual: "before an everyday place, softly out of focus"
    case .white: "before white without any shade"
    case .transparent: "without a background, to be put before another picture"
    case .keep: "before the photo's own background"
    case .colour(let colour): "before the colour \(colour.text) without any shade"
    }
  }
}
