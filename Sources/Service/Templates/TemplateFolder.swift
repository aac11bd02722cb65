import AtelierProtocol
import CEmbedded
import Glibc
import Imaging
import POSIX

/// The operator's folder of templates: JSON files and the pictures next to them. It is only read.
struct TemplateFolder: Sendable {
  let path: String

  /// The maximum size of a file; larger ones are not read.
  static let maximumFileBytes = 1 << 20
  /// The maximum number of files; further ones are not read.
  static let maximumFiles = 200
  /// The maximum size of a picture; larger ones are not sent.
  static let maximumPictureBytes = 7_000_000

  /// The files that were examined; nil for one that does not exist. One whose status is the same has not changed.
  typealias Statuses = [String: FileStatus?]

  struct Reading: Sendable {
    var statuses: Statuses = [:]
    var definitions: [TemplateDefinition] = []
    var problems: [TemplateProblem] = []
  }

  enum Look: Sendable {
    case unchanged
    case changed(Reading)
  }

  /// Reads the folder if anything in it has changed. Blocks.
  func look(since statuses: Statuses?) -> Look {
    // Recorded before reading: changes made meanwhile are noticed the next time.
    if let statuses, statuses.allSatisfy({ Self.status(of: $0.key) == $0.value }) { return .unchanged }
    var reading = Reading()
    let folder = Self.status(of: path)
    reading.statuses[path] = .some(folder)
    guard folder != nil else { return .changed(reading) }
    for name in names(&reading.problems) { read(name, into: &reading) }
    return .changed(reading)
  }

  /// The JSON files in alphabetical order; later ones replace the definitions of earlier ones.
  private func names(_ problems: inout [TemplateProblem]) -> [String] {
    let names: [String]
    do throws(FileFailure) {
      names = try FileSystem.names(in: path).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
        .sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
    } catch {
      problems.append(
        TemplateProblem(
          file: "templates", message: "The folder cannot be read (\(error.reason)): let its owner read it."))
      return []
    }
    for name in names.dropFirst(Self.maximumFiles) {
      problems.append(
        TemplateProblem(file: name, message: "Only the first \(Self.maximumFiles) files are read: merge some of them."))
    }
    return Array(names.prefix(Self.maximumFiles))
  }

  private func read(_ name: String, into reading: inout Reading) {
    let file = "\(path)/\(name)"
    reading.statuses[file] = .some(Self.status(of: file))
    do {
      if let fault = fault(of: file, maximumBytes: Self.maximumFileBytes) {
        throw TemplateFault(problem: TemplateProblem(file: name, message: "It is a file \(fault)"))
      }
      let bytes = try PhotoFile.readBlocking(file, maximumBytes: Self.maximumFileBytes)
      let contents = try TemplateFile(bytes, name: name, folder: path)
      var problem: TemplateProblem?
      for (index, definition) in contents.definitions.enumerated() {
        let pictures = [("reference", definition.template.reference), ("thumbnail", definition.template.thumbnail)]
        for case (let member, let picture?) in pictures {
          reading.statuses[picture] = .some(Self.status(of: picture))
          guard problem == nil, let fault = fault(of: picture, maximumBytes: Self.maximumPictureBytes) else { continue }
          problem = TemplateProblem(
            file: name, line: contents.line(of: member, at: index),
            message: "/templates/\(index)/\(member) names a picture \(fault)")
        }
      }
      if let problem {
        reading.problems.append(problem)
      } else {
        reading.definitions += contents.definitions
      }
    } catch let fault as TemplateFault {
      reading.problems.append(fault.problem)
    } catch {
      reading.problems.append(TemplateProblem(file: name, message: "The file cannot be read: save it again."))
    }
  }

  /// The problem with a file, phrased to follow "a file"; nil if there is none.
  private func fault(of file: String, maximumBytes: Int) -> String? {
    guard let real = try? FileSystem.resolved(file), let folder = try? FileSystem.resolved(path) else {
      return "that is not there: put it into the folder of the templates."
    }
    guard real.hasPrefix("\(folder)/") else { return "outside the folder of the templates: put it inside." }
    guard let status = Self.status(of: real), status.isRegularFile else {
      return "that is none, but a folder or a device: put a file in its place."
    }
    guard status.bytes > 0 else { return "without content: if it is still being copied, wait." }
    guard status.bytes <= maximumBytes else {
      return "of \(status.bytes) bytes: at most \(maximumBytes) are accepted."
    }
    return access(real, R_OK) == 0 ? nil : "that cannot be read: give the service the right to."
  }

  private static func status(of path: String) -> FileStatus? { try? FileStatus(path: path, followingLinks: true) }
}
