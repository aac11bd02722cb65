import AtelierProtocol
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

/// Finds the line in a JSON text of a JSON Pointer or a byte offset.
struct JSONLines {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The line number, from 1.
  func line(at offset: Int) -> Int { 1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } }

  /// The line of the value that `pointer` names, or of the nearest position: for a missing member, the beginning of
  /// its object; in an invalid JSON text, the position where it becomes invalid.
  func line(of pointer: String) -> Int {
    let keys = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
    var walk = JSONWalk(bytes)
    return line(at: walk.offset(of: keys[...]))
  }
}

/// Scans a JSON text, skipping values that are not searched for.
private struct JSONWalk {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The position of the value at the path `keys`, or of the last value found on that path.
  mutating func offset(of keys: ArraySlice<String>) -> Int {
    skipSpace()
    let start = position
    guard let key = keys.first else { return start }
    let isObject = byte == UInt8(ascii: "{")
    guard isObject || byte == UInt8(ascii: "[") else { return start }
    position += 1
    var index = 0
    while true {
      skipSpace()
      guard let next = byte, next != UInt8(ascii: "}"), next != UInt8(ascii: "]") else { return start }
      var name = String(index)
      if isObject {
        name = member()
        skipSpace()
        position += 1
      }
      if name == key { return offset(of: keys.dropFirst()) }
      skipValue()
      skipSpace()
      if byte == UInt8(ascii: ",") { position += 1 }
      index += 1
    }
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }

  private mutating func member() -> String {
    let start = position
    skipString()
    return (try? JSONValue(parsing: Array(bytes[start..<position])))?.string ?? ""
  }

  /// Ends after the closing quotation mark, or at the end of the text; advances at least one byte.
  private mutating func skipString() {
    position += 1
    while let byte, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
    position = min(position + 1, bytes.count)
  }

  private mutating func skipValue() {
    skipSpace()
    var depth = 0
    repeat {
      switch byte {
      case nil: return
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        position += 1
      default: position += 1
      }
      if depth > 0 { continue }
      // The rest of a number or a literal.
      while let byte, byte != UInt8(ascii: ","), byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") { position += 1 }
    } while depth > 0
  }
}
