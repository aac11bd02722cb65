import AtelierProtocol
import GRDB
import Testing

@testable import Store

@Suite("A process that dies between acceptance and end", .onlySQLite)
struct CrashTests {
  /// What becomes of a generation for which four credits are held.
  enum End: CaseIterable {
    case whole, part, failure, cancel

    var images: Int {
      switch self {
      case .whole: 4
      case .part: 2
      case .failure, .cancel: 0
      }
    }
  }

  @Test("a process that dies at any statement leaves no open hold, no charge without image, no image without charge",
    arguments: End.allCases)
  func everywhere(end: End) async throws {
    let fixture = try StoreFixture()
    let copies = CrashCopies(of: fixture.directory)
    var surroundings = fixture.surroundings
    surroundings.reached = { _ in copies.copy() }
    let store = try await fixture.open(with: surroundings)
    _ = try await store.grantCredits(9, to: "anna", because: "a test", source: "1")
    try await store.withWriter { database in
      database.trace(options: .statement) { _ in copies.copy() }
    }
    // At each step of a file and after each await as well, for files change between statements.
    let acceptance = fixture.acceptance("anna", metering: Metering(credits: 4, limits: UsageLimit.standard))
    _ = try await store.accept(acceptance)
    copies.copy()
    _ = try await store.start(acceptance.id)
    copies.copy()
    var files: [GenerationFile] = []
    for index in 0..<end.images {
      let staged = try await store.stage([UInt8](repeating: UInt8(index), count: 100), mimeType: "image/png")
      copies.copy()
      files.append(GenerationFile(index: index, source: .staged(staged), width: 4, height: 3, credits: 1))
    }
    let state: GenerationState =
      switch end {
      case .whole: .succeeded
      case .part: .partial
      case .failure: .failed
      case .cancel: .cancelled
      }
    _ = try await store.finish(
      Settlement(
        id: acceptance.id, state: state, files: files,
        error: end == .failure ? AtelierError(.providerError) : nil))
    copies.copy()
    try await store.withWriter { $0.trace(nil) }
    // Triggers count: a hold alone is a handful.
    #expect(copies.count > 40, "only \(copies.count)")
    var charges: Set<Int> = []
    for path in try copies.all() {
      charges.insert(try await look(into: path, fixture: fixture, generation: acceptance.id, wanted: end.images))
    }
    #expect(charges == (end.images == 0 ? [0] : [0, end.images]))
  }

  /// What the next process finds.
  /// - Returns: the credits that were charged.
  private func look(into path: String, fixture: StoreFixture, generation: GenerationID, wanted: Int) async throws -> Int {
    let store = try await Store.open(directory: DataDirectory(path: path), surroundings: fixture.surroundings)
    _ = try await store.recoverAndSweep()
    #expect(try await store.auditLedger() == [], "\(path)")
    let report = try await store.check()
    #expect(report.isSound, "\(path): \(report.findings)")
    let balance = try await store.creditBalance(of: "anna")
    #expect(balance.held == 0, "\(path)")
    let row = try await store.generation(generation, account: "anna")
    #expect(row?.state.isFinal ?? true, "\(path)")
    let charged = row?.creditsCharged ?? 0
    #expect(charged == row?.images.count ?? 0 && (charged == 0 || charged == wanted), "\(path)")
    #expect(balance.available == 10 - charged, "\(path)")
    for image in row?.images ?? [] {
      let artifact = try #require(image.artifact)
      #expect(try await store.read(artifact).count == 100)
    }
    await store.close()
    return charged
  }
}
