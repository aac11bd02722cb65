import AtelierProtocol
import Encodings
import JSON

/// One file of hairstyles; built-in files and the operator's have the same format, `{"templates": […]}`.
public struct TemplateFile: Sendable {
  /// In the order of the file.
  public let definitions: [TemplateDefinition]
  private let lines: JSONLines

  /// A file with a fault is not used at all: half of it might not be what the operator meant.
  /// - Parameters:
  ///   - name: the file's name in problem messages.
  ///   - folder: the path of the folder that contains the pictures.
  /// - Throws: the first fault, with its line.
  public init(_ bytes: [UInt8], name: String, folder: String) throws(TemplateFault) {
    let text: [UInt8]
    do throws(SavedText.OtherEncoding) {
      text = try SavedText.withoutMark(bytes)
    } catch {
      throw TemplateFault(problem: TemplateProblem(file: name, line: 1, message: "The file \(error.problem)"))
    }
    let lines = JSONLines(text)
    func fault(_ pointer: String, _ message: String) -> TemplateFault {
      TemplateFault(problem: TemplateProblem(file: name, line: lines.line(of: pointer), message: message))
    }
    let records: [TemplateRecord]
    do {
      records = try JSONValueDecoder(unknownMembers: .reject)
        .decode(TemplateRecord.File.self, from: try JSONValue(parsing: text)).templates
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

/// A hairstyle as written in a file.
struct TemplateRecord: Codable, Sendable, Equatable {
  @LimitedText<TemplateIDRule> var id: String
  @Limited<TemplateNameLength> var name: String?
  var category: TemplateCategory?
  @Limited<TemplatePromptLength> var prompt: String?
  @Limited<TemplateTags> var tags: [String]?
  @Limited<TemplatePopularity> var popularity: Int?
  @Limited<TemplatePictureRule> var reference: String?
  @Limited<TemplatePictureRule> var thumbnail: String?
  var retired: Bool?

  /// The file as a whole.
  struct File: Codable, Sendable, Equatable {
    var templates: [TemplateRecord]
  }

  /// The first missing member.
  var missingMember: String? {
    if retired == true { return nil }
    if name == nil { return "name" }
    if category == nil { return "category" }
    return prompt == nil ? "prompt" : nil
  }

  /// - Parameter folder: the folder that contains its pictures.
  func definition(in folder: String) -> TemplateDefinition {
    TemplateDefinition(
      Template(
        id: id, name: name ?? id, category: category ?? .trendy, prompt: prompt ?? "", tags: tags ?? [],
        popularity: popularity ?? 0, reference: reference.map { "\(folder)/\($0)" },
        thumbnail: thumbnail.map { "\(folder)/\($0)" }), isRetired: retired ?? false)
  }
}
