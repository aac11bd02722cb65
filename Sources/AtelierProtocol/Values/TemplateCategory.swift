/// Under what a hairstyle of the library is found (REQUIREMENTS 1.4).
public enum TemplateCategory: String, Codable, Sendable, CaseIterable {
  case short, medium, long, curly, updo, braids, color, trendy, beard
}
