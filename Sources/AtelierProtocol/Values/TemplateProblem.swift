/// What keeps a file of the operator's templates from being used.
public struct TemplateProblem: Codable, Sendable, Hashable {
  /// The file's name in the folder `templates`; the folder itself where it cannot be read.
  public var file: String
  /// Where in the file, from 1; absent where it is none of its lines.
  public var line: Int?
  /// One sentence: what is wrong, and what is expected.
  public var message: String

  public init(file: String, line: Int? = nil, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  /// The whole as one line, as compilers write it.
  public var sentence: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(message)" }
}

extension TemplateProblem: SchemaDescribed {
  public static let summary = "What keeps a file of the operator's templates from being used."

  public static let members = [
    "file": "The file's name in the folder `templates`; the folder itself where it cannot be read.",
    "line": "Where in the file, from 1; absent where it is none of its lines.",
    "message": "One sentence: what is wrong, and what is expected.",
  ]
}
