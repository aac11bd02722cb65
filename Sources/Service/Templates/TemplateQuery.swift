import AtelierProtocol
import Encodings

/// A filter for hairstyles.
public struct TemplateQuery: Sendable {
  private let category: TemplateCategory?
  private let tag: FoldedText?
  private let words: [String]

  /// - Parameters:
  ///   - tag: compared regardless of case and accents.
  ///   - search: words that must all occur in name, tags or prompt.
  public init(category: TemplateCategory? = nil, tag: String? = nil, search: String? = nil) {
    self.category = category
    self.tag = tag.map(FoldedText.init)
    words = search.map { FoldedText($0).words } ?? []
  }

  func matches(_ entry: TemplateLibrary.Entry) -> Bool {
    (category == nil || entry.template.category == category)
      && (tag.map(entry.tags.contains) ?? true)
      && words.allSatisfy(entry.everything.contains)
  }
}
