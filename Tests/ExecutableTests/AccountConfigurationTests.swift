import Engine
import Foundation
import Identities
import JSON
import Support
import Testing

@testable import atelier

@Suite("The accounts of the configuration file", .timeLimit(.minutes(2)))
struct AccountConfigurationTests {
  private static let google: JSONObject = [
    "id": "google", "issuer": "https://accounts.google.com", "audiences": ["app"],
    "keys": "https://www.googleapis.com/oauth2/v3/certs",
  ]

  private static func issuer(_ changes: JSONObject) -> JSONValue {
    var issuer = google
    for (name, value) in changes { issuer[name] = value }
    return .object(issuer)
  }

  private func accounts(_ accounts: JSONValue) async throws -> ConfigurationFile.Accounts {
    let bytes = JSONValue.object(["accounts": accounts]).serialized()
    let source = try ConfigurationSource(bytes, path: "atelier.json")
    _ = try await source.locatingFaults { try await $0.engineConfiguration() }
    return try #require(source.file.accounts)
  }

  @Test("the configured issuers are what is said", arguments: [
    ("https://www.googleapis.com/oauth2/v3/certs", KeySetLocation.url("https://www.googleapis.com/oauth2/v3/certs")),
    ("https://example.com/keys/?p=a%20b", .url("https://example.com/keys/?p=a%20b")),
    ("http://127.0.0.1:8099/identity/keys", .url("http://127.0.0.1:8099/identity/keys")),
    ("/etc/atelier/keys.json", .file("/etc/atelier/keys.json")), ("/no/such/file", .file("/no/such/file")),
    ("keys.json", .file("keys.json")),
  ])
  func said(keys: String, location: KeySetLocation) async throws {
    let accounts = try await accounts(["issuers": [Self.issuer(["keys": .string(keys)])]])
    let expected = IdentityIssuer(
      id: "google", issuer: "https://accounts.google.com", audiences: ["app"], keys: location)
    #expect(try accounts.identityIssuers() == [expected])
    #expect(try accounts.requiredConsent() == nil)
  }

  @Test("the required consent is of any version, of one, or none", arguments: [
    (true, RequiredConsent()), (false, nil), ("2026-11", RequiredConsent(version: "2026-11")),
  ] as [(JSONValue, RequiredConsent?)])
  func consent(value: JSONValue, expected: RequiredConsent?) async throws {
    #expect(try await accounts(["requireConsent": value]).requiredConsent() == expected)
  }

  private static let place = "/accounts/issuers/0"
  private static let address = "must be an https address, or http on this machine, or the path of a file."

  @Test("configured accounts that make no sense are refused with the place and the member that is wrong", arguments: [
    (["issuers": [issuer(["id": "Google"])]], "\(place)/id must be a name such as apple"),
    (["issuers": [issuer(["issuer": ""])]], "\(place)/issuer must not be empty."),
    (["issuers": [issuer(["audiences": []])]], "\(place)/audiences must name at least one app"),
    (["issuers": [issuer(["audiences": ["a", ""]])]], "\(place)/audiences/1 must not be empty."),
    (["issuers": [issuer(["audiences": "app"])]], "\(place)/audiences must be an array"),
    (["issuers": [issuer(["keys": "http://example.com/keys"])]], "\(place)/keys \(address)"),
    (["issuers": [issuer(["keys": ""])]], "\(place)/keys \(address)"),
    (["issuers": [issuer(["keys": "https://a@example.com/keys"])]], "\(place)/keys \(address)"),
    (["issuers": [issuer(["keys": "https://example.com/keys#a"])]], "\(place)/keys \(address)"),
    (["issuers": [issuer(["key": "x"])]], "\(place)/key is not a known member"),
    (["issuers": [issuer([:]), issuer(["issuer": "https://b"])]], "/accounts/issuers/1/id must be another"),
    (["issuers": [issuer([:]), issuer(["id": "b"])]], "/accounts/issuers/1/issuer must be another"),
    (["issuers": [["id": "google"]]], "\(place)/issuer is missing"),
    (["requireConsent": ""], "/accounts/requireConsent must be true, or a version"),
    (["requireConsent": 5], "/accounts/requireConsent must be"), (["issuer": []], "/accounts/issuer is not a known member"),
  ] as [(JSONValue, String)])
  func refused(value: JSONValue, sentence: String) async throws {
    let failure = await #expect(throws: ConfigurationFailure.self) { _ = try await accounts(value) }
    #expect(failure?.sentence.hasPrefix("atelier.json:1:") == true)
    #expect(failure?.sentence.contains(sentence) == true, "\(failure?.sentence ?? "")")
  }
}
