import AtelierProtocol
import JSONRPC

/// One file of hairstyles: ours and the operator's have the same format, `{"templates": […]}`.
public struct TemplateFile: Sendable {
  /// In the order of the file.
  public let definitions: [TemplateDefinition]
  private let lines: JSONLines

  /// A file with a fault is not used at all: half of it might not be what the operator meant.
  /// - Parameters:
  ///   - name: what problems call the file.
  ///   - folder: the path of the folder the pictures are in.
  /// - Throws: the first thing that is wrong, with its line.
  public init(_ bytes: [UInt8], name: String, folder: String) throws(TemplateFault) {
    let lines = JSONLines(bytes)
    func fault(_ pointer: String, _ message: String) -> TemplateFault {
      TemplateFault(problem: TemplateProblem(file: name, line: lines.line(of: pointer), message: message))
    }
    let records: [TemplateRecord]
    do {
      records = try JSONValueDecoder(unknownMembers: .reject)
        .decode(TemplateRecord.File.self, from: try JSONValue(parsing: bytes)).templates
    } catch let error as JSONSyntaxError {
      throw TemplateFault(
        problem: TemplateProblem(file: name, line: lines.line(at: error.offset), message: error.message))
    } catch let error as JSONDecodingFailure {
      throw fault(error.path, error.message)
    } catch {
      throw fault("", "The file cannot be read.")
    }
    var known: Set<String> = []
    for (index, record) in records.enumerated() {
      let pointer = "/templates/\(index)"
      if let member = record.missingMember {
        throw fault(pointer, "\(pointer)/\(member) is missing; only a template that is retired can do without it.")
      }
      guard known.insert(record.id).inserted else {
        throw fault("\(pointer)/id", "\(pointer)/id is that of an earlier template of this file, “\(record.id)”.")
      }
    }
    definitions = records.map { $0.definition(in: folder) }
    self.lines = lines
  }

  /// The line of a member of the definition `index`, from 1.
  public func line(of member: String, at index: Int) -> Int { lines.line(of: "/templates/\(index)/\(member)") }
}

/// Why a file is not used.
public struct TemplateFault: Error, Sendable, Equatable {
  public var problem: TemplateProblem

  public init(problem: TemplateProblem) { self.problem = problem }
}
