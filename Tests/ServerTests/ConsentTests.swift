import AtelierProtocol
import Engine
import Foundation
import JSON
import ServiceFixture
import Testing

@testable import Server

@Suite("Methods where the operator requires consent", .timeLimit(.minutes(3)))
struct ConsentTests {
  /// What a method has to do with the consent of the person whose account it acts for.
  enum Rule: Sendable {
    /// Refused without it.
    case guarded(JSONValue)
    /// The answer says that it is missing.
    case told(JSONValue)
    /// It takes no photo of a person and sends nothing of theirs to a provider.
    case excused(String)
  }

  private static let photo: JSONValue = ["path": .string(Fixture.path("images/plain.jpg"))]
  private static let edit: JSONValue = ["recipe": "edit", "image": photo, "prompt": "a hat", "account": "anna"]

  private static let rules: [String: Rule] = {
    var rules: [String: Rule] = [
      Generate.method: .guarded(edit),
      Regenerate.method: .guarded(["generationId": "gen_1", "account": "anna"]),
      ImagePrepare.method: .guarded(["image": photo, "account": "anna"]),
      CreditsEstimate.method: .told(edit),
    ]
    let excuses: [(String, [any RequestMessage.Type])] = [
      ("It is about the connection or the service.",
       [Initialize.self, Ping.self, Shutdown.self, Discover.self, StylesList.self, TemplatesList.self, TemplatesGet.self,
        ProvidersList.self, QueueStatus.self, QueuePause.self, QueueResume.self]),
      ("It reads, gives out or deletes what was made with consent: a person keeps what is theirs.",
       [Status.self, GenerationWatch.self, Cancel.self, History.self, HistoryGet.self, HistoryAnnotate.self,
        HistoryDelete.self, HistoryExport.self, SessionList.self, SessionGet.self, ImageRead.self, ImageLink.self,
        FeedbackSubmit.self, UsageStatistics.self]),
      ("It is about the account, which somebody who consents must have.",
       [AccountGet.self, AccountSignIn.self, AccountSignOut.self, AccountConsent.self, AccountDelete.self,
        AccountSet.self]),
      ("It moves credits.",
       [CreditsBalance.self, CreditsHistory.self, CreditsProducts.self, CreditsPurchase.self, CreditsGrant.self,
        CreditsRevoke.self]),
      ("It is about the operator's keys.", [CredentialsSet.self, CredentialsStatus.self, CredentialsDelete.self]),
    ]
    for (reason, messages) in excuses { for message in messages { rules[message.method] = .excused(reason) } }
    return rules
  }()

  @Test("every method has a rule, and one whose params can hold a photo is not excused")
  func complete() throws {
    #expect(Set(Self.rules.keys) == Set(ProtocolRegistry.requests.map { $0.method }))
    let document = try ProtocolDocument.discovered.get()
    let schemas = document["components"]?["schemas"]
    for method in document["methods"]?.array ?? [] {
      guard let name = method["name"]?.string, let params = method["params"] else { continue }
      guard Self.mentions("ImageSource", in: params, of: schemas), case .excused? = Self.rules[name] else { continue }
      Issue.record("\(name) takes pictures")
    }
    let prepare = document["methods"]?.array?.first { $0["name"] == "image/prepare" }?["params"]
    #expect(Self.mentions("ImageSource", in: try #require(prepare), of: schemas))
  }

  /// Whether a schema refers to a type, by itself or through others.
  private static func mentions(
    _ type: String, in schema: JSONValue, of schemas: JSONValue?, beyond seen: Set<String> = []
  ) -> Bool {
    schema.serializedText.matches(of: /"\$ref":"[^"]*?([^\/"]+)"/).contains { match in
      let name = String(match.output.1)
      if name == type { return true }
      guard !seen.contains(name), let next = schemas?[name] else { return false }
      return mentions(type, in: next, of: schemas, beyond: seen.union([name]))
    }
  }

  @Test("a method that takes a photo is refused without consent, and reads no file; with it, it works")
  func guarded() async throws {
    let fixture = try ServiceFixture()
    let before = try fixture.engine([ScriptedProvider()])
    #expect(try await before.generate(.picture(account: "anna")).value.generationId == "gen_1")
    await before.leave()
    var configuration = EngineConfiguration()
    configuration.requiredConsent = RequiredConsent(version: "2")
    let provider = ScriptedProvider()
    let service = try fixture.serve([provider], configuration: configuration)
    var id = 0
    func ask(_ method: String, _ params: JSONValue) async throws -> JSONValue? {
      id += 1
      return try await service.host.call(id, method, params)
    }
    for isGiven in [false, true] {
      if isGiven { _ = try await ask(AccountConsent.method, ["account": "anna", "version": "2"]) }
      for (method, rule) in Self.rules.sorted(by: { $0.key < $1.key }) {
        switch rule {
        case .guarded(let params):
          let answer = try await ask(method, params)
          let kind = answer?["error"]?["data"]?["kind"]?.string
          #expect(kind == (isGiven ? nil : "consent_required"), "\(method): \(answer?.serializedText ?? "")")
        case .told(let params):
          let kind = try await ask(method, params)?["result"]?["refusal"]?["data"]?["kind"]?.string
          #expect(kind == (isGiven ? nil : "consent_required"), "\(method)")
        case .excused: break
        }
      }
      if !isGiven {
        // The photo is not even looked for.
        let answer = try await ask(
          ImagePrepare.method, ["image": ["path": "/nowhere/photo.jpg"], "account": "anna"])
        #expect(answer?["error"]?["data"]?["kind"] == "consent_required")
        #expect(provider.requests.isEmpty)
      }
    }
    service.host.closeInput()
    _ = await service.end()
  }
}
