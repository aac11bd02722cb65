import AtelierProtocol
import Providers
import ServiceFixture
import Testing

@testable import Engine

@Suite("A private generation that fails", .timeLimit(.minutes(1)))
struct PrivateFailureTests {
  @Test("a private generation that fails keeps nothing of the provider's words, which may repeat the prompt")
  func words() async throws {
    let fixture = try ServiceFixture()
    let secret = "a portrait of my neighbour"
    let engine = try fixture.engine([
      ScriptedProvider(isLocal: false) { _, _ in
        throw AtelierError(
          .noImageReturned,
          details: ["reason": "no_image", "modelText": .string("No, not \(secret)"), "providerMessage": .string(secret)])
      }
    ])
    let error = try await #require(throws: AtelierError.self) {
      try await engine.generations.generate(.picture(secret, inline: true, private: true), for: Caller())
    }
    #expect(error.kind == .noImageReturned && error.details["reason"]?.string == "no_image")
    let kept = "\(String(describing: try await engine.row("gen_1")))"
    #expect(kept.contains("no_image") && !kept.contains("neighbour"))
    await engine.leave()
  }
}
