import Encodings
import JSON
import JSONRPC
import Server
import Testing

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
    for secret in ["key", "signedTransaction", "purchaseData", "signature"] {
      #expect(vocabulary.secretMembers.contains(ExactText(secret)), "\(secret)")
    }
  }
}
