import AtelierProtocol
import CEmbedded
import Glibc

/// The hairstyles embedded in the binary. Not read before their first use.
public enum EmbeddedTemplates {
  /// The hairstyles that every library begins with.
  public static let all: [TemplateDefinition] = TemplateCategory.allCases.flatMap { category in
    // A test checks the embedded files and reports faults by name.
    (try? TemplateFile(bytes(of: category), name: "\(category.rawValue).json", folder: ""))?.definitions ?? []
  }

  /// A copy of the file of a category.
  static func bytes(of category: TemplateCategory) -> [UInt8] {
    switch category {
    case .short: copy(embedded_hairstyles_short())
    case .medium: copy(embedded_hairstyles_medium())
    case .long: copy(embedded_hairstyles_long())
    case .curly: copy(embedded_hairstyles_curly())
    case .updo: copy(embedded_hairstyles_updo())
    case .braids: copy(embedded_hairstyles_braids())
    case .color: copy(embedded_hairstyles_color())
    case .trendy: copy(embedded_hairstyles_trendy())
    case .beard: copy(embedded_hairstyles_beard())
    }
  }

  // Both addresses delimit one object of the binary's read-only data, which lives as long as the process.
  private static func copy(_ file: embedded_file) -> [UInt8] {
    Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
  }
}
