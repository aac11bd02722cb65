import Encodings
import Foundation
import GeminiSimulator
import JSON
import POSIX
import Support
import Testing

@testable import AtelierClient

@Suite("The real service", .timeLimit(.minutes(2)))
struct ServiceTests {
  private let scene: ServiceScene

  init() throws { scene = try ServiceScene() }

  @Test("a headshot is made with progress, found in history, read and deleted")
  func headshot() async throws {
    try await withStudio(scene.options()) { studio in
      _ = try await studio.send(Ping())
      let generation = studio.generate(.headshot)
      var last = 0.0
      for try await progress in generation.progress {
        #expect(progress.overall >= last && !progress.message.text.isEmpty)
        last = progress.overall
      }
      let result = try await generation.result
      #expect(result.state == .succeeded && last > 0)
      let file = try FileSystem.read(try result.path)
      #expect(try await studio.picture(of: result.generationId) == file)
      #expect(try await studio.picture(of: result.generationId, longestSide: 64).count < file.count)

      #expect(try await studio.generate(.headshot).result.cached)
      let again = try await studio.regenerate(Regenerate(generationId: result.generationId)).result
      #expect(!again.cached && again.originalGenerationId == result.generationId)

      let page = try await studio.send(History(limit: 2))
      #expect(page.entries.count == 2 && page.nextCursor != nil && page.totals.generations == 3)
      _ = try await studio.send(HistoryDelete(target: .generation(result.generationId, account: nil)))
      let error = await failure { try await studio.send(HistoryGet(generationId: result.generationId)) }
      #expect(error?.kind == .notFound)
    }
  }

  @Test("a headshot of bytes comes back in the answer, and a copy where it is wanted")
  func inline() async throws {
    let copies = try scene.folder.makeFolder("copies")
    let bytes = try FileSystem.read(ServiceScene.photo)
    let photo = try #require(InlineImage(base64: Base64.encoded(bytes)))
    try await withStudio(scene.options()) { studio in
      var request = Generate(recipe: .headshot, image: .data(photo))
      request.output = Generate.Output(directory: copies, inline: true)
      let result = try await studio.generate(request).result
      let data = try #require(result.images[0].data.flatMap { Base64.decoded($0) })
      #expect(try FileSystem.read(try result.path) == data && result.images[0].path?.hasPrefix(copies) == true)
    }
  }

  @Test("requests that cannot be fulfilled are refused with a reason")
  func refused() async throws {
    try await withStudio(scene.options()) { studio in
      let photo = "\(ServiceScene.project)/Tests/Fixtures/images/landscape.jpg"
      let faceless = await failure {
        try await studio.generate(Generate(recipe: .headshot, image: .path(photo))).result
      }
      #expect(faceless?.kind == .noFaceFound)
      let missing = await failure {
        try await studio.generate(Generate(recipe: .headshot, image: .path("/nonexistent.jpg"))).result
      }
      #expect(missing?.kind == .fileAccessDenied || missing?.kind == .notFound || missing?.kind == .invalidImage)
      let wrong = await failure { try await studio.send(History(limit: 100_000)) }
      #expect(wrong?.clientKind == .invalidParams && wrong?.details["path"] == "/limit")
      #expect(wrong?.details["expected"]?.string?.isEmpty == false)
    }
  }

  @Test("a connection is confined to its account")
  func account() async throws {
    try await withStudio(scene.options { $0.account = "ada" }) { studio in
      // It is confined as well, so it may not read files.
      let photo = try #require(InlineImage(base64: Base64.encoded(try FileSystem.read(ServiceScene.photo))))
      let account = try await studio.generate(Generate(recipe: .headshot, image: .data(photo))).result.account
      #expect(account == "ada")
      let error = await failure { try await studio.send(History(account: "grace")) }
      #expect(error?.kind == .permissionDenied)
    }
  }

  @Test("an estimate, a balance and the lists of the service are answered by their own types")
  func requests() async throws {
    try await withStudio(scene.options { $0.trusted = true }) { studio in
      #expect(try await studio.send(CreditsEstimate(.headshot)).images == 1)
      let changes = studio.notifications(CreditsChanged.self)
      let grant = CreditsGrant(account: "ada", amount: 3, reason: "a gift", idempotencyKey: "gift 1")
      #expect(try await studio.send(grant).granted == 3)
      #expect(try await studio.send(grant).alreadyGranted)
      for await change in changes {
        #expect(change.account == "ada")
        break
      }
      #expect(try await studio.send(ProvidersList()).providers.isEmpty == false)
      #expect(try await studio.send(StylesList()).styles.count == 6)
      #expect(try await studio.send(TemplatesList(limit: 1)).templates.count == 1)
      _ = try await studio.send(QueueStatus())
      _ = try await studio.send(Status())
    }
  }

  @Test("two studios share a data directory, and one follows what the other has started")
  func two() async throws {
    let simulator = try await GeminiSimulator.start()
    simulator.always(ScenarioStep(.transport(.stallBeforeHead)))
    let first = try await scene.studio { $0.environment = Self.cloud(simulator) }
    let second = try await scene.studio()
    var request = Generate.create("a lighthouse", detach: true)
    request.provider = ProviderChoice("gemini")
    let started = first.generate(request)
    let id = try await started.accepted
    let watched = second.attach(to: id)
    for try await progress in watched.progress {
      #expect(progress.generationId == id)
      break
    }
    watched.cancel()
    #expect(try await watched.result.state == .cancelled)
    #expect(try await started.result.state == .cancelled)
    await first.close()
    await second.close()
    await simulator.stop()
  }

  @Test("a picture is made by a provider in the cloud")
  func cloud() async throws {
    let simulator = try await GeminiSimulator.start()
    try await withStudio(scene.options { $0.environment = Self.cloud(simulator) }) { studio in
      var request = Generate.create("a lighthouse")
      request.provider = ProviderChoice("gemini")
      let result = try await studio.generate(request).result
      #expect(result.state == .succeeded && result.provider == "gemini" && result.images.count == 1)
    }
    await simulator.stop()
  }

  @Test("a detached generation outlives the connection that started it")
  func outlives() async throws {
    let id = try await withStudio(scene.options()) { studio in
      var request = Generate.headshot
      request.detach = true
      return try await studio.generate(request).accepted
    }
    try await withStudio(scene.options()) { studio in
      let state = try await studio.attach(to: id).result.state
      #expect(state == .succeeded)
    }
  }

  static func cloud(_ simulator: GeminiSimulator) -> [String: String] {
    [
      "GEMINI_API_KEY": "an-invented-key-0123456789", "GOOGLE_GEMINI_BASE_URL": simulator.baseURL,
      "no_proxy": "127.0.0.1",
    ]
  }
}

extension GeminiSimulator {
  fileprivate static func start() async throws -> GeminiSimulator { try await start(SimulatorOptions()) }
}
