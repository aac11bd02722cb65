/// The hairstyles of the library, most used first, in pages.
///
/// The pages of one walk are ordered by the use there was when its first page was asked for, so that nothing is
/// told twice or left out because it is used meanwhile. A page may be shorter than its limit so that its line
/// stays under 60 KiB.
public struct TemplatesList: RequestMessage {
  public static let method = "templates/list"

  /// Only of this category.
  public var category: TemplateCategory?
  /// Only with this tag, whatever its case and accents.
  @Limited<NameLength> public var tag: String?
  /// Only with all these words in name, tags or prompt, whatever their case and accents.
  @Limited<SearchLength> public var search: String?
  /// The most templates wanted. Default 50.
  @Limited<PageSize> public var limit: Int?
  /// Where to go on: `nextCursor` of the page before.
  @Limited<CursorLength> public var cursor: String?

  public init(
    category: TemplateCategory? = nil, tag: String? = nil, search: String? = nil, limit: Int? = nil,
    cursor: String? = nil
  ) {
    self.category = category
    self.tag = tag
    self.search = search
    self.limit = limit
    self.cursor = cursor
  }

  /// How many templates a page has when the request does not say.
  public static let defaultLimit = 50

  /// One page.
  public struct Result: Codable, Sendable, Equatable {
    /// Most used first, then by name.
    public var templates: [Template]
    /// Where the next page begins; absent on the last.
    public var nextCursor: String?
    /// The operator's files that are not used, and why; absent where all is well, and for a connection that is
    /// confined to one account. The first twenty of them.
    public var problems: [TemplateProblem]?

    public init(templates: [Template], nextCursor: String? = nil, problems: [TemplateProblem]? = nil) {
      self.templates = templates
      self.nextCursor = nextCursor
      self.problems = problems
    }
  }
}

/// One hairstyle of the library.
public struct TemplatesGet: RequestMessage {
  public static let method = "templates/get"
  public static let errors: [ErrorKind] = [.templateNotFound]

  /// The `id` of the template.
  @LimitedText<NameLength> public var templateId: String

  public init(templateId: String) {
    self.templateId = templateId
  }

  public typealias Result = Template
}
