import AtelierProtocol
import CTemplates

/// The hairstyles inside the binary. Nothing of them is read before their first use.
public enum EmbeddedTemplates {
  /// Those that every library begins with.
  public static let all: [TemplateDefinition] = TemplateCategory.allCases.flatMap { category in
    // What is embedded is checked by a test, which names the fault.
    (try? TemplateFile(bytes(of: category), name: "\(category.rawValue).json", folder: ""))?.definitions ?? []
  }

  /// A copy of the file of a category.
  static func bytes(of category: TemplateCategory) -> [UInt8] {
    switch category {
    case .short: copy(ctemplates_short())
    case .medium: copy(ctemplates_medium())
    case .long: copy(ctemplates_long())
    case .curly: copy(ctemplates_curly())
    case .updo: copy(ctemplates_updo())
    case .braids: copy(ctemplates_braids())
    case .color: copy(ctemplates_color())
    case .trendy: copy(ctemplates_trendy())
    case .beard: copy(ctemplates_beard())
    }
  }

  // Both addresses delimit one object of the binary's read-only data, which lives as long as the process.
  private static func copy(_ file: ctemplates_file) -> [UInt8] {
    Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
  }
}
