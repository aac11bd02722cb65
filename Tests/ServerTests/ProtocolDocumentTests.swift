import AtelierProtocol
import Encodings
import JSON
import JSONRPC
import Testing

@testable import Server

@Suite("What a trace may show")
struct TraceVocabularyTests {
  @Test("the words that a trace may show are those of the protocol, and no member that holds a secret")
  func words() throws {
    let vocabulary = try ProtocolDocument.traceVocabulary()
    for name in ["recipe", "generationId", "state", "images", "retryAfterMs", "account", "jsonrpc", "expected"] {
      #expect(vocabulary.members.contains(ExactText(name)), "\(name)")
    }
    for word in ["generate", "headshot", "gemini", "succeeded", "rate_limited", "generation/progress", "2.0"] {
      #expect(vocabulary.words.contains(ExactText(word)), "\(word)")
    }
    for secret in ["key", "signedTransaction", "purchaseData", "signature", "url"] {
      #expect(vocabulary.secretMembers.contains(ExactText(secret)), "\(secret)")
    }
  }

  @Test("a member is secret if its type is, alone, in a list, beside null or under a name of its own, and no other is")
  func secrets() {
    let secret: JSONValue = ["type": "string", "writeOnly": true]
    let returned: JSONValue = ["type": "string", "format": "uri", "x-secret": true]
    let schema: JSONValue = [
      "$defs": [
        "Token": secret, "Holder": ["type": "object", "properties": ["inner": secret, "open": ["type": "string"]]],
      ],
      "properties": [
        "alone": secret, "list": ["type": "array", "items": secret], "nullable": ["anyOf": [secret, ["type": "null"]]],
        "named": ["$ref": "#/$defs/Token"], "holder": ["$ref": "#/$defs/Holder"], "returned": returned,
        "plain": ["type": "string"],
      ],
    ]
    let found = TraceVocabulary(schema: schema).secretMembers
    #expect(found == Set(["alone", "list", "nullable", "named", "inner", "returned"].map(ExactText.init)))
  }

  @Test("the secrets of a message are under names that a trace hides")
  func everySecret() throws {
    let marker = "s3cr3t"
    let link = ImageLink.Result(
      url: SecretLink(marker), expiresAt: Timestamp(milliseconds: 0), mimeType: "image/png", width: 1, height: 1, bytes: 1,
      sha256: "a")
    let messages: [JSONValue] =
      try [
        JSONValueEncoder().encode(CredentialsSet(provider: .gemini, key: SecretText(marker))),
        JSONValueEncoder().encode(link),
      ]
      + PurchasePlatform.allCases.map { platform in
        let texts = Dictionary(uniqueKeysWithValues: platform.proofMembers.map { ($0, SecretText(marker)) })
        return try JSONValueEncoder().encode(CreditsPurchase(proof: PurchaseProof(platform, texts)))
      }
    let vocabulary = try ProtocolDocument.traceVocabulary()
    func exposed(_ value: JSONValue) -> Bool {
      if let object = value.object {
        return object.contains { !vocabulary.secretMembers.contains(ExactText($0.key)) && exposed($0.value) }
      }
      return value.array?.contains(where: exposed) ?? (value == .string(marker))
    }
    for message in messages {
      #expect(String(decoding: message.serialized(), as: UTF8.self).contains(marker))
      #expect(!exposed(message), "\(message)")
    }
  }
}
