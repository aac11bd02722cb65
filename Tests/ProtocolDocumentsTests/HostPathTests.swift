import JSON
import Testing

@testable import ProtocolDocuments

@Suite("The schema of paths")
struct HostPathTests {
  /// Members that are called like a path, or said to be one, and may be told to everybody.
  private static let exceptions: [String: String] = [
    "HistoryExportResult.path": "begins with the folder that the request names",
    "TemplateProblem.file": "is told to no confined connection, and is a name",
  ]

  /// The members of what the service sends that a person would take for a path, by whether their type is that of paths.
  private struct Reading {
    let definitions: JSONObject
    private(set) var paths: [String: Bool] = [:]
    private var seen: Set<String> = []

    init(definitions: JSONObject) { self.definitions = definitions }

    mutating func read(_ schema: JSONValue, of owner: String) {
      for element in schema.array ?? [] { read(element, of: owner) }
      for (keyword, value) in schema.object ?? [:] {
        if keyword == "$ref", let name = value.string?.split(separator: "/").last.map(String.init) {
          if seen.insert(name).inserted { read(definitions[name] ?? .null, of: name) }
        } else if keyword == "properties" {
          for (name, member) in value.object ?? [:] {
            if Self.isPath(name, member) { paths["\(owner).\(name)"] = member["x-hostPath"]?.bool == true }
            read(member, of: "\(owner).\(name)")
          }
        } else {
          read(value, of: owner)
        }
      }
    }

    private static func isPath(_ name: String, _ member: JSONValue) -> Bool {
      guard member["type"] == "string", member["enum"] == nil, member["const"] == nil else { return false }
      if member["x-hostPath"] != nil { return true }
      let words = ["path", "folder", "directory", "file", "thumbnail", "reference"]
      let description = member["description"]?.string?.lowercased() ?? ""
      return words.contains { name.lowercased().hasSuffix($0) } || description.contains("path of ")
        || description.contains("path to ")
    }
  }

  @Test("a member that names a file in an answer or a notification has the type of paths")
  func everyPath() throws {
    let schema = try Project.documents.get().export.jsonSchema()
    let definitions = try #require(schema["$defs"]?.object)
    var reading = Reading(definitions: definitions)
    reading.read(definitions["Results"] ?? .null, of: "Results")
    for message in definitions["ServiceMessage"]?["oneOf"]?.array ?? [] {
      reading.read(message["properties"]?["params"] ?? .null, of: "ServiceMessage")
    }
    #expect(reading.paths.values.filter { $0 }.count >= 9)
    let plain = Set(reading.paths.filter { !$0.value }.keys)
    for name in plain.subtracting(Self.exceptions.keys).sorted() {
      Issue.record("\(name) names a file: give it the type @HostPath, so that confined connections are not told it")
    }
    #expect(plain.isSuperset(of: Self.exceptions.keys), "an exception is not needed any more")
  }
}
