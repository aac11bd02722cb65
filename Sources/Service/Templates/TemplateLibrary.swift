import AtelierProtocol
import Encodings

/// The available hairstyles: the built-in ones, with additions, replacements and removals from the operator's files.
public struct TemplateLibrary: Sendable {
  /// One hairstyle, with its search text.
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

  /// - Parameter definitions: a later one replaces the earlier ones with its id, or retires them.
  public init(_ definitions: [TemplateDefinition]) {
    var templates: [String: Template] = [:]
    for definition in definitions {
      templates[definition.template.id] = definition.isRetired ? nil : definition.template
    }
    entries = templates.mapValues(Entry.init)
  }

  /// The number of hairstyles.
  public var count: Int { entries.count }

  /// The hairstyle with this id, with its initial popularity; nil if it is unknown or retired.
  public subscript(id: String) -> Template? { entries[id]?.template }

  /// One page of hairstyles, most used first, then by name.
  /// - Parameters:
  ///   - usage: the use counts at the time when the first page was requested.
  ///   - cursor: where to continue; nil begins with the most used.
  ///   - byteBudget: the page ends before the total `size` of its hairstyles exceeds this. It always has at least one,
  ///     or a client could never get past a large one.
  ///   - size: the bytes of a hairstyle in the answer, including its separator.
  public func page(
    _ query: TemplateQuery, usage: TemplateUsage, after cursor: TemplateCursor? = nil, limit: Int,
    byteBudget: Int = .max, size: @escaping (Template) -> Int = { _ in 0 }
  ) -> (templates: [Template], next: TemplateCursor?) {
    let ranked = entries.values.filter(query.matches).map { entry in
      var template = entry.template
      template.popularity += usage.counts[template.id] ?? 0
      return (place: TemplateCursor(template, seen: usage.seen), name: entry.name, template: template)
    }
    let start = cursor.map { ($0, FoldedText($0.name)) }
    let rest = ranked.filter { one in start.map { $0.0.precedes(one.place, names: ($0.1, one.name)) } ?? true }
      .sorted { $0.place.precedes($1.place, names: ($0.name, $1.name)) }
    var page = PageBuilder(limit: limit, bytes: byteBudget, size: size)
    for one in rest where !page.append(one.template) {
      return (page.entries, page.entries.last.map { TemplateCursor($0, seen: usage.seen) })
    }
    return (page.entries, nil)
  }
}
