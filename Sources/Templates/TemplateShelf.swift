import AtelierProtocol
import JSONRPC

/// The library of this process: ours and what the operator's folder has, read again when anything in it has changed.
public actor TemplateShelf {
  /// What there is, and what could not be used.
  public struct Contents: Sendable {
    public var library: TemplateLibrary
    public var problems: [TemplateProblem]
  }

  private let folder: TemplateFolder
  private let log: @Sendable (String) -> Void
  private var known: (marks: TemplateFolder.Marks, contents: Contents)?
  private var told: Set<TemplateProblem> = []

  /// - Parameters:
  ///   - folder: the path of the operator's folder, which need not exist.
  ///   - log: told of each problem once.
  public init(folder: String, log: @escaping @Sendable (String) -> Void) {
    self.folder = TemplateFolder(path: folder)
    self.log = log
  }

  /// What there is now. A fault in the operator's files is a problem told, never an error.
  public func contents() async -> Contents {
    let last = known
    let looked = try? await DedicatedThread.run { [folder] in folder.look(since: last?.marks) }
    switch looked {
    case .changed(let reading):
      let contents = Contents(
        library: TemplateLibrary(EmbeddedTemplates.all + reading.definitions), problems: reading.problems)
      known = (reading.marks, contents)
      tell(reading.problems)
      return contents
    case .unchanged, nil:
      // Without a thread to look with, what is known holds.
      return last?.contents ?? Contents(library: TemplateLibrary(EmbeddedTemplates.all), problems: [])
    }
  }

  private func tell(_ problems: [TemplateProblem]) {
    for problem in problems where !told.contains(problem) { log("Templates are not used. \(problem.sentence)") }
    told = Set(problems)
  }
}
