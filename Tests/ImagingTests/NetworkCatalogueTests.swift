import Foundation
import Glibc
import Support
import Testing

@testable import Imaging

@Suite("The catalogue of the operator's networks")
struct NetworkCatalogueTests {
  private let directory: TemporaryDirectory
  private let catalogue: NetworkCatalogue
  private static let digests = (first: String(repeating: "a", count: 64), second: String(repeating: "b", count: 64))

  init() throws {
    directory = try TemporaryDirectory()
    catalogue = NetworkCatalogue(path: directory.path("data/models"))
  }

  private static func network(
    _ name: String, role: OperatorNetwork.Role = .vote, digest: String = digests.first, bytes: Int = 3
  ) -> OperatorNetwork {
    OperatorNetwork(
      name: name, role: role, inputSide: 256, values: .signed, output: .classes, sha256: digest, bytes: bytes,
      licence: "Apache-2.0", source: "https://example.org/a.tflite")
  }

  private var files: Set<String> { Set(directory.files(below: "data/models")) }

  private func refusal(_ work: () throws -> Void) -> NetworkRefusal.Kind? {
    do {
      try work()
      return nil
    } catch {
      return (error as? NetworkRefusal)?.kind
    }
  }

  @Test("a network that was added is there with its model, and gone when it is removed")
  func life() throws {
    #expect(try catalogue.contents() == NetworkCatalogue.Contents())
    #expect(try !catalogue.remove("a"))
    #expect(access(catalogue.path, F_OK) != 0, "looking makes no folder")
    try catalogue.add(Self.network("b"), model: [1, 2, 3])
    try catalogue.add(Self.network("a", digest: Self.digests.second), model: [4, 5, 6])
    let contents = try catalogue.contents()
    #expect(contents.networks == [Self.network("a", digest: Self.digests.second), Self.network("b")])
    #expect(try contents.networks.map(catalogue.model) == [[4, 5, 6], [1, 2, 3]])
    #expect(try catalogue.remove("a") && !catalogue.remove("a"))
    #expect(try catalogue.contents().networks == [Self.network("b")])
    #expect(try catalogue.model(of: contents.networks[0]) == nil)
    #expect(files == ["\(Self.digests.first).tflite", "b.json", "lock"])
  }

  @Test("the catalogue is closed to other users, whatever the umask is, and however open its folder was")
  func modes() throws {
    try directory.makeFolder("data/models", permissions: 0o755)
    try catalogue.add(Self.network("a"), model: [1])
    for (path, expected) in [("", 0o700)] + files.map({ ("/\($0)", 0o600) }) {
      var status = stat()
      #expect(lstat(catalogue.path + path, &status) == 0 && status.st_mode & 0o777 == mode_t(expected), "\(path)")
    }
  }

  @Test("a name is taken until it is replaced, at once and with the model")
  func taken() throws {
    try catalogue.add(Self.network("a"), model: [1])
    let other = Self.network("a", role: .matte, digest: Self.digests.second)
    #expect(refusal { try catalogue.add(other, model: [2]) } == .nameTaken)
    #expect(try catalogue.contents().networks == [Self.network("a")])
    try catalogue.add(other, model: [2], replaces: true)
    #expect(try catalogue.contents().networks == [other])
    #expect(files == ["\(Self.digests.second).tflite", "a.json", "lock"])
  }

  @Test("one model may have two names, and stays until both are removed")
  func shared() throws {
    try catalogue.add(Self.network("a"), model: [1])
    try catalogue.add(Self.network("b"), model: [1])
    _ = try catalogue.remove("a")
    #expect(try catalogue.model(of: Self.network("b")) == [1])
  }

  @Test("only one network makes the matte, and all together have a limit")
  func limits() throws {
    try catalogue.add(Self.network("a", role: .matte, bytes: NetworkCatalogue.maximumBytes - 3), model: [1])
    #expect(refusal { try catalogue.add(Self.network("b", role: .matte), model: [1]) } == .matteTaken)
    #expect(refusal { try catalogue.add(Self.network("b", bytes: 4), model: [1]) } == .tooLarge)
    try catalogue.add(Self.network("b"), model: [1])
  }

  @Test("a name that several add at the same time is given to one, with its model")
  func race() throws {
    let results = SharedState<[NetworkRefusal.Kind?]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      let kind = refusal {
        try catalogue.add(Self.network("a", digest: String(repeating: "\(number)", count: 64)), model: [UInt8(number)])
      }
      results.change { $0.append(kind) }
    }
    #expect(results.value.count { $0 == nil } == 1 && results.value.count { $0 == .nameTaken } == 7)
    let kept = try #require(try catalogue.contents().networks.first)
    #expect(try catalogue.model(of: kept) == [UInt8(String(kept.sha256.prefix(1))) ?? 9])
    #expect(files.count == 3)
  }

  @Test("leftovers of a killed process do not count, and the next change removes them", arguments: [
    ["c.json.new"], ["MODEL.new"], ["MODEL"], ["MODEL", "c.json.new"],
  ])
  func leftovers(names: [String]) throws {
    try catalogue.add(Self.network("a"), model: [1])
    for name in names {
      try directory.write("data/models/" + name.replacing("MODEL", with: "\(Self.digests.second).tflite"), [7])
    }
    #expect(try catalogue.contents() == NetworkCatalogue.Contents(networks: [Self.network("a")]))
    try catalogue.add(Self.network("c", digest: Self.digests.second), model: [2])
    #expect(try catalogue.model(of: Self.network("c", digest: Self.digests.second)) == [2])
    _ = try catalogue.remove("c")
    #expect(files == ["\(Self.digests.first).tflite", "a.json", "lock"])
  }

  @Test("an entry that is none, or leads out of the folder, is told and not used", arguments: [
    "", "{}", "[", #"{"name":"b"}"#, "OTHER NAME", "OTHER DIGEST",
  ])
  func damaged(text: String) throws {
    try catalogue.add(Self.network("a"), model: [1])
    let whole = try String(contentsOfFile: "\(catalogue.path)/a.json", encoding: .utf8)
    let changed =
      switch text {
      case "OTHER NAME": whole
      case "OTHER DIGEST":
        whole.replacing(#""name":"a""#, with: #""name":"b""#).replacing(Self.digests.first, with: "../../x")
      default: text
      }
    try directory.write("data/models/b.json", Array(changed.utf8))
    let contents = try catalogue.contents()
    #expect(contents.networks == [Self.network("a")])
    #expect(contents.problems.count == 1 && contents.problems[0].contains("b.json"))
    #expect(try catalogue.remove("b"))
    #expect(try catalogue.contents().problems.isEmpty)
  }

  @Test("a name is one of a file", arguments: [
    ("modnet", true), ("u2-net2", true), ("9", true), ("", false), ("-a", false), ("a/b", false), ("..", false),
    ("A", false), ("é", false), (String(repeating: "a", count: 41), false),
  ])
  func names(name: String, isOne: Bool) {
    #expect(OperatorNetwork.isName(name) == isOne)
  }
}
