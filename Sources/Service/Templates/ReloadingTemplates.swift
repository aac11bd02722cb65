import AtelierProtocol
import CEmbedded
import Glibc
import POSIX

/// The library of this process: built-in hairstyles and those of the operator's folder, reloaded when it changes.
public actor ReloadingTemplates {
  /// The available hairstyles, and the problems with files that could not be used.
  public struct Contents: Sendable {
    public var library: TemplateLibrary
    public var problems: [TemplateProblem]
  }

  private let folder: TemplateFolder
  private let log: @Sendable (String) -> Void
  private var known: (statuses: TemplateFolder.Statuses, contents: Contents)?
  private var told: Set<TemplateProblem> = []

  /// - Parameters:
  ///   - folder: the path of the operator's folder, which need not exist.
  ///   - log: called once for each problem.
  public init(folder: String, log: @escaping @Sendable (String) -> Void) {
    self.folder = TemplateFolder(path: folder)
    self.log = log
  }

  /// The current library. A fault in the operator's files is reported as a problem, never thrown.
  public func contents() async -> Contents {
    let last = known
    let looked = try? await LazyThreadPool.shared.run { [folder] in folder.look(since: last?.statuses) }
    switch looked {
    case .changed(let reading):
      let contents = Contents(
        library: TemplateLibrary(EmbeddedTemplates.all + reading.definitions), problems: reading.problems)
      known = (reading.statuses, contents)
      tell(reading.problems)
      return contents
    case .unchanged, nil:
      // If no thread can be started, the known library stays in use.
      return last?.contents ?? Contents(library: TemplateLibrary(EmbeddedTemplates.all), problems: [])
    }
  }

  private func tell(_ problems: [TemplateProblem]) {
    for problem in problems where !told.contains(problem) { log("Templates are not used. \(problem.sentence)") }
    told = Set(problems)
  }
}
