import AtelierProtocol
import Foundation
import POSIX
import ServiceFixture
import Testing

@testable import Engine

@Suite("Files of a confined connection", .timeLimit(.minutes(2)))
struct ConfinedTests {
  let fixture: ServiceFixture
  private var open: String { "\(fixture.temporary.path)/open" }
  private var closed: String { "\(fixture.temporary.path)/closed" }

  init() throws {
    fixture = try ServiceFixture()
    for folder in [open, closed] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: Fixture.path("images/plain.jpg"), toPath: "\(folder)/photo.jpg")
    }
    try FileManager.default.createSymbolicLink(atPath: "\(open)/way", withDestinationPath: closed)
  }

  private func engine(_ provider: ScriptedProvider = ScriptedProvider(), isOpen: Bool = true) throws -> TestEngine {
    var configuration = EngineConfiguration()
    if isOpen { configuration.access = HostAccess(read: AllowedFolders([open]), write: AllowedFolders([open])) }
    return try fixture.engine([provider], configuration: configuration)
  }

  private let anna = Caller(confinedTo: "anna")

  private func edit(_ path: String, reference: String? = nil, directory: String? = nil) -> Generate {
    var request = Generate(recipe: .edit, image: .path(path), prompt: "a hat")
    if let reference { request.references = [.path(reference)] }
    request.output = Generate.Output(directory: directory)
    return request
  }

  @Test("the files of a confined connection are read and written in the folders that the operator opened")
  func inside() async throws {
    let engine = try engine()
    let made = try await engine.generate(edit("\(open)/photo.jpg", directory: open), for: anna).value
    let path = try #require(made.images.first?.path)
    #expect(path == "\(open)/edit-gen_1.png" && FileManager.default.fileExists(atPath: path))
    let export = try await engine.engine.exportHistory(HistoryExport(directory: open), for: anna)
    #expect(export.entries == 1 && FileManager.default.fileExists(atPath: export.path))
    let prepared = try await engine.engine.prepare(ImagePrepare(image: .path("\(open)/photo.jpg")), for: anna)
    #expect(prepared.width > 0)
    await engine.leave()
  }

  @Test("files are refused anywhere else, before anything is made: photo, reference, folder, export, preparation, estimate",
    arguments: [true, false])
  func outside(isOpen: Bool) async throws {
    let provider = ScriptedProvider()
    let engine = try engine(provider, isOpen: isOpen)
    let inside = "\(open)/photo.jpg"
    for path in ["\(closed)/photo.jpg", "\(open)/way/photo.jpg", "\(open)/../closed/photo.jpg", "\(closed)/nothing"] {
      let folder = (path as NSString).deletingLastPathComponent
      let attempts: [@Sendable () async throws -> Void] = [
        { _ = try await engine.generate(self.edit(path), for: self.anna).value },
        { _ = try await engine.generate(self.edit(inside, reference: path), for: self.anna).value },
        { _ = try await engine.generate(self.edit(inside, directory: folder), for: self.anna).value },
        { _ = try await engine.engine.exportHistory(HistoryExport(directory: folder), for: self.anna) },
        { _ = try await engine.engine.prepare(ImagePrepare(image: .path(path)), for: self.anna) },
        { _ = try await engine.engine.estimate(CreditsEstimate(self.edit(path)), for: self.anna) },
      ]
      for (number, attempt) in attempts.enumerated() {
        let error = await #expect(throws: AtelierError.self, "\(path) \(number)") { try await attempt() }
        #expect(error?.kind == .fileAccessDenied, "\(path) \(number)")
        #expect(error?.hint?.contains(
          number == 2 || number == 3 ? (isOpen ? "access.write" : "access.") : "access.read") == true)
      }
    }
    #expect(provider.requests.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: closed) == ["photo.jpg"])
    await engine.leave()
  }

  @Test("the files of a confined connection stay confined when another process carries the request out")
  func claimed() async throws {
    let engine = try engine()
    let request = edit("\(open)/photo.jpg", directory: open)
    var confined = GenerationWork(
      id: "gen_9", account: "anna", request: request, lineup: ProviderLineup(first: ScriptedProvider()), requestID: nil,
      wantsProgress: false, createdAt: fixture.clock.now, isConfined: true)
    #expect(GenerationWork.isConfined(recordedIn: try confined.acceptance(within: 60_000).request))
    confined = confined.with(request, fingerprint: [])
    #expect(confined.isConfined)
    let row = try await engine.row(engine.generate(request, for: anna).value.generationId)
    #expect(try await engine.generations.planner.work(from: try #require(row)).isConfined)
    let free = try await engine.row(engine.generate(request).value.generationId)
    #expect(try await !engine.generations.planner.work(from: try #require(free)).isConfined)
    await engine.leave()
  }

  @Test("a folder that becomes a link to elsewhere in the meantime gets no picture")
  func exchanged() async throws {
    let gate = Gate()
    let engine = try engine(ScriptedProvider(waitingAt: gate))
    let folder = "\(open)/folder"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let work = engine.generate(edit("\(open)/photo.jpg", directory: folder), for: anna)
    await gate.hasSeen()
    try FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: closed)
    gate.open()
    let error = await #expect(throws: AtelierError.self) { try await work.value }
    #expect(error?.kind == .fileAccessDenied)
    #expect(try FileManager.default.contentsOfDirectory(atPath: closed) == ["photo.jpg"])
    await engine.leave()
  }
}
