import AtelierProtocol
import Foundation
import JSON
import SimulatedIssuers
import Support
import Testing

@testable import Identities

@Suite("A key set in a file")
struct KeyFileTests {
  private let directory: TemporaryDirectory
  private var file: String { "\(directory.path)/keys.json" }

  init() throws { directory = try TemporaryDirectory() }

  private func verifier(_ scene: Scene) -> IdentityVerifier {
    scene.verifier([Scene.issuer("one", keys: .file(file))])
  }

  private func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: file)) }

  @Test("a file is read at each verification, so that a change counts at once")
  func change() async throws {
    var scene = try await Scene()
    try write(try scene.one.keySet().serialized())
    let verifier = verifier(scene)
    #expect(await verifier.refusal(of: try scene.token()) == nil)
    try scene.one.rotate()
    let token = try scene.token()
    #expect(await verifier.refusal(of: token)?.hint?.contains("not in the key set") == true)
    try write(try scene.one.keySet().serialized())
    #expect(await verifier.refusal(of: token) == nil)
    #expect(await scene.server.requests.isEmpty)
    #expect(await scene.cache.kept.isEmpty)
  }

  @Test("a file that an editor has begun with a byte order mark is read")
  func mark() async throws {
    let scene = try await Scene()
    try write([0xef, 0xbb, 0xbf] + (try scene.one.keySet().serialized()))
    #expect(await verifier(scene).refusal(of: try scene.token()) == nil)
  }

  @Test("a link to a file is followed")
  func link() async throws {
    let scene = try await Scene()
    let target = "\(directory.path)/target.json"
    try Data(try scene.one.keySet().serialized()).write(to: URL(fileURLWithPath: target))
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
    #expect(await verifier(scene).refusal(of: try scene.token()) == nil)
  }

  /// What stands in place of the file, and what the operator is told.
  private static let wrongFiles: [(String, @Sendable (String) throws -> Void)] = [
    ("The file cannot be read: No such file or directory.", { _ in }),
    ("There is no regular file of that name.", {
      try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
    }),
    ("There is no regular file of that name.", { #expect(mkfifo($0, 0o600) == 0) }),
    ("It is larger than 1048576 bytes.", { try Data(count: 1_048_577).write(to: URL(fileURLWithPath: $0)) }),
    ("The file cannot be read: it is in UTF-16: save it as UTF-8 and try again.", {
      try Data([0xff, 0xfe, 0x7b, 0x00]).write(to: URL(fileURLWithPath: $0))
    }),
    ("It is no JSON Web Key Set", { try Data("x".utf8).write(to: URL(fileURLWithPath: $0)) }),
    ("The file cannot be read: it is not UTF-8 in line 1: save it as UTF-8 and try again.", {
      try Data([0xff]).write(to: URL(fileURLWithPath: $0))
    }),
  ]

  @Test(
    "a file that cannot be used is told at the start and refuses sign-ins until it is right",
    arguments: wrongFiles.indices)
  func wrong(index: Int) async throws {
    let (hint, make) = Self.wrongFiles[index]
    let scene = try await Scene()
    try make(file)
    let verifier = verifier(scene)
    let faults = await IdentityVerifier.faultsOfFiles(of: verifier.issuers)
    #expect(faults.count == 1 && faults[0].hasPrefix("The issuer “one” has no key set. \(hint)"), "\(faults)")
    let refusal = try #require(await verifier.refusal(of: try scene.token()))
    #expect(refusal.kind == .providerUnavailable)
    #expect(refusal.hint?.hasPrefix("There is no key set of the issuer “one”. \(hint)") == true)
    #expect(refusal.hint?.contains(directory.path) == false)
    try? FileManager.default.removeItem(atPath: file)
    try write(try scene.one.keySet().serialized())
    #expect(await IdentityVerifier.faultsOfFiles(of: verifier.issuers).isEmpty)
    #expect(await verifier.refusal(of: try scene.token()) == nil)
  }

  @Test("a file without a usable key is told at the start")
  func noKey() async throws {
    let scene = try await Scene()
    try write(Array("{\"keys\":[{\"kty\":\"oct\",\"k\":\"AA\"}]}".utf8))
    let faults = await IdentityVerifier.faultsOfFiles(of: verifier(scene).issuers)
    #expect(
      faults == [
        "The issuer “one” has no usable key in its key set: the first one is of another type: “kty” must be RSA or EC."
      ])
  }
}
