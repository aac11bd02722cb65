/// `styles/list`: the styles of headshots, to choose from.
public struct StylesList: RequestMessage, Parameterless {
  public static let method = "styles/list"

  public init() {}

  /// The six styles: three angles before two backgrounds.
  public struct Result: Codable, Sendable, Equatable {
    public var styles: [Entry]

    public init(styles: [Entry]) {
      self.styles = styles
    }
  }

  /// One style, as a host shows it.
  public struct Entry: Codable, Sendable, Equatable {
    /// Such as `left-casual`.
    public var id: String
    /// For a button.
    public var title: String
    /// One sentence.
    public var description: String
    /// What `generate` takes as `style`.
    public var style: Style
    /// Who can make it.
    public var providers: [ProviderID]

    public init(id: String, title: String, description: String, style: Style, providers: [ProviderID]) {
      self.id = id
      self.title = title
      self.description = description
      self.style = style
      self.providers = providers
    }
  }
}

extension StylesList: SchemaDescribed {
  public static let summary = "The styles of headshots, to choose from."
}

extension StylesList.Result: SchemaDescribed {
  public static let summary = "The six styles: three angles before two backgrounds."
}

extension StylesList.Entry: SchemaDescribed {
  public static let summary = "One style, as a host shows it."

  public static let members = [
    "id": "Such as `left-casual`.",
    "title": "For a button.",
    "description": "One sentence.",
    "style": "What `generate` takes as `style`.",
    "providers": "Who can make it.",
  ]
}
