/// Lists the templates of the hairstyle library, most used first, in pages.
///
/// All pages keep the order that was valid for the first page, so that no template is repeated or left out because it
/// is used meanwhile. A page may be shorter than its limit, so that its line stays under 60 KiB.
public struct TemplatesList: RequestMessage {
  public static let method = "templates/list"

  /// Only templates of this category.
  public var category: TemplateCategory?
  /// Only templates with this tag, regardless of case and accents.
  @Limited<NameLength> public var tag: String?
  /// Only templates with all these words in name, tags or prompt, regardless of case and accents.
  @Limited<SearchLength> public var search: String?
  /// The maximum number of templates in the page. Default 50.
  @Limited<PageSize> public var limit: Int?
  /// The `nextCursor` of the previous page. Default: the first page.
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

  /// The page size if the request names none.
  public static let defaultLimit = 50

  /// One page of templates.
  public struct Result: Codable, Sendable, Equatable {
    /// The templates, most used first, then by name.
    public var templates: [Template]
    /// The cursor of the next page; absent on the last page.
    public var nextCursor: String?
    /// The first twenty of the operator's files that are not used, and why; absent if there are none, and on a
    /// connection that is confined to an account.
    public var problems: [TemplateProblem]?

    public init(templates: [Template], nextCursor: String? = nil, problems: [TemplateProblem]? = nil) {
      self.templates = templates
      self.nextCursor = nextCursor
      self.problems = problems
    }
  }
}

/// Returns one template of the hairstyle library.
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
