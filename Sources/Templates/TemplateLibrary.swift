import AtelierProtocol

/// The hairstyles there are: ours, with what the operator's files add, replace and retire (REQUIREMENTS 1.4).
public struct TemplateLibrary: Sendable {
  /// One hairstyle, ready to be looked for.
  struct Entry: Sendable {
    let template: Template
    let name: FoldedText
    let tags: Set<FoldedText>
    let everything: FoldedText

    init(_ template: Template) {
      self.template = template
      name = FoldedText(template.name)
      tags = Set(template.tags.map(FoldedText.init))
      everything = FoldedText(([template.name, template.prompt] + template.tags).joined(separator: "\n"))
    }
  }

  private let entries: [String: Entry]

  /// - Parameter definitions: a later one replaces the earlier ones of its id, or retires them.
  public init(_ definitions: [TemplateDefinition]) {
    var templates: [String: Template] = [:]
    for definition in definitions {
      templates[definition.template.id] = definition.isRetired ? nil : definition.template
    }
    entries = templates.mapValues(Entry.init)
  }

  /// How many there are.
  public var count: Int { entries.count }

  /// The hairstyle of this id, its popularity what it begins with; nil for one that is unknown or retired.
  public subscript(id: String) -> Template? { entries[id]?.template }

  /// One page, most used first, then by name.
  /// - Parameters:
  ///   - usage: how often each was used, as it was when the first page was asked for.
  ///   - cursor: where to go on; nil begins with the most used.
  ///   - byteBudget: the page ends before `size` over its hairstyles would pass this. One it has in any case, or a
  ///     client could never get past it.
  ///   - size: the bytes a hairstyle takes in the answer, its separator included.
  public func page(
    _ query: TemplateQuery, usage: TemplateUsage, after cursor: TemplateCursor? = nil, limit: Int,
    byteBudget: Int = .max, size: (Template) -> Int = { _ in 0 }
  ) -> (templates: [Template], next: TemplateCursor?) {
    let ranked = entries.values.filter(query.matches).map { entry in
      var template = entry.template
      template.popularity += usage.counts[template.id] ?? 0
      return (place: TemplateCursor(template, seen: usage.seen), name: entry.name, template: template)
    }
    let start = cursor.map { ($0, FoldedText($0.name)) }
    let rest = ranked.filter { one in start.map { $0.0.precedes(one.place, names: ($0.1, one.name)) } ?? true }
      .sorted { $0.place.precedes($1.place, names: ($0.name, $1.name)) }
    var page: [Template] = []
    var bytes = 0
    for one in rest {
      bytes += size(one.template)
      if page.count == limit || bytes > byteBudget && !page.isEmpty {
        return (page, page.last.map { TemplateCursor($0, seen: usage.seen) })
      }
      page.append(one.template)
    }
    return (page, nil)
  }
}
