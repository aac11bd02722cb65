import AtelierProtocol

/// A hairstyle as a file defines it.
public struct TemplateDefinition: Sendable, Equatable {
  /// True for one that only takes away the hairstyle of its id.
  public var isRetired: Bool
  /// The hairstyle; of a retired one only its id counts. Its popularity is what it begins with, and its pictures are
  /// paths that can be opened.
  public var template: Template

  public init(_ template: Template, isRetired: Bool = false) {
    self.isRetired = isRetired
    self.template = template
  }
}
