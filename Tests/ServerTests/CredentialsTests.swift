import AtelierProtocol
import JSON
import Providers
import ServiceFixture
import Testing

@testable import Server

/// A provider that needs a key, and looks for it as providers do.
private struct LockedProvider: ImageProvider {
  let fixture: ServiceFixture
  let id = ProviderID.gemini
  let profile = ProviderProfile(
    title: "Locked", recipes: [.create], models: ["key-1"], isLocal: false, creditsPerImage: 1)
  let maximumConcurrentImages = 1

  func availability() async -> ProviderAvailability {
    let hasKey = (try? await fixture.credentials.key(for: id)) != nil
    return ProviderAvailability(available: hasKey, reason: hasKey ? nil : "It needs a key.", needsKey: !hasKey)
  }

  func check(_ request: ImageRequest) throws(AtelierError) {}

  func makeImage(
    _ request: ImageRequest, progress: @escaping @Sendable (ImageProgress) -> Void
  ) async throws -> ProviderImage {
    guard try await fixture.credentials.key(for: id) != nil else { throw AtelierError(.noApiKey, provider: id) }
    return try ScriptedProvider.picture()
  }
}

@Suite("Keys over the wire", .timeLimit(.minutes(2)))
struct CredentialsTests {
  private let key: JSONValue = "an-invented-key-wire-6666"

  private func end(_ service: TestService) async {
    service.host.closeInput()
    _ = await service.end()
  }

  @Test("keys over the wire make a provider available and take that back, and the host is told before the answer")
  func announced() async throws {
    let fixture = try ServiceFixture()
    let service = try fixture.serve([LockedProvider(fixture: fixture)])
    let refused = try await service.host.call(1, "generate", ["recipe": "create", "prompt": "x"])
    #expect(refused?["error"]?["data"]?["kind"] == "no_api_key")

    for (id, method, available) in [(2, "credentials/set", true), (3, "credentials/delete", false)] {
      var params: JSONObject = ["provider": "gemini"]
      if available { params["key"] = key }
      try service.host.ask(id, method, .object(params))
      let first = try #require(await service.host.next())
      #expect(first["method"] == "provider/changed")
      #expect(first["params"]?["id"] == "gemini")
      #expect(first["params"]?["available"] == .bool(available))
      #expect(await service.host.next()?["id"]?.int64 == Int64(id))
      let listed = try await service.host.call(10 + id, "providers/list")?["result"]?["providers"]?[0]
      #expect(listed?["available"] == .bool(available))
      #expect(listed?["needsKey"] == .bool(!available))
    }
    await end(service)
  }

  @Test("keys over the wire count for the next request, without a new start")
  func counts() async throws {
    let fixture = try ServiceFixture()
    let service = try fixture.serve([LockedProvider(fixture: fixture)])
    _ = try await service.host.call(1, "credentials/set", ["provider": "gemini", "key": key])
    let made = try await service.host.call(2, "generate", ["recipe": "create", "prompt": "x"])
    #expect(made?["result"]?["state"] == "succeeded")
    #expect(made?["result"]?["provider"] == "gemini")
    await end(service)
  }

  @Test("keys over the wire that do not change whether a provider is available are not announced")
  func unannounced() async throws {
    let fixture = try ServiceFixture()
    let service = try fixture.serve([LockedProvider(fixture: fixture)])
    _ = try await service.host.call(1, "credentials/set", ["provider": "gemini", "key": key])
    for (id, params) in [(2, ["provider": "gemini", "key": "an-invented-key-wire-7777"]), (3, ["provider": "openai"])]
      as [(Int, JSONValue)]
    {
      try service.host.ask(id, params["key"] == nil ? "credentials/delete" : "credentials/set", params)
      #expect(await service.host.next()?["id"]?.int64 == Int64(id))
    }
    await end(service)
  }

  @Test("keys over the wire are nothing for a connection confined to an account", arguments: [
    ("credentials/set", ["provider": "gemini", "key": "an-invented-key-wire-6666"]),
    ("credentials/status", [:]), ("credentials/delete", ["provider": "gemini"]),
  ] as [(String, JSONValue)])
  func confined(method: String, params: JSONValue) async throws {
    let fixture = try ServiceFixture()
    let service = try fixture.serve([LockedProvider(fixture: fixture)])
    _ = try await service.host.call(1, "initialize", ["account": "anna"])
    let error = try await service.host.call(2, method, params)?["error"]
    #expect(error?["code"] == 403)
    #expect(error?["data"]?["kind"] == "permission_denied")
    #expect(fixture.temporary.files() == [])
    await end(service)
  }
}
