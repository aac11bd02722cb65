import Credentials
import Support
import Testing

@testable import Providers

@Suite("A provider's own words")
struct ProviderMessageTests {
  private let key = APIKey("AIzaSyD-0123456789abcdefghijklmnopqrstu")

  @Test("a provider's own words are kept where they are harmless", arguments: [
    "API key not valid. Please pass a valid API key.", "The model is overloaded. Please try again later.",
    "User location is not supported for the API use without a billing account linked.",
    "Image part is missing a thought_signature in content position 2, part position 1.",
    "limit: 0, model: gemini-2.5-flash-preview-image", "画像を生成できませんでした。", "Une clé n’est pas valide.",
    "* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 10",
    "GenerateContentInputTokensPerModelPerMinute-FreeTier", "See https://ai.google.dev/gemini-api/docs/rate-limits.",
    "task-oriented desk-based risk-averse", "and/or 1/2", "models/gemini-3.1-flash-lite-image is not found",
  ])
  func harmless(text: String) {
    #expect(ProviderMessage(text, hiding: key)?.text == text)
  }

  @Test("a provider's own words lose keys, queries, paths and data", arguments: [
    ("Key AIzaSyD-0123456789abcdefghijklmnopqrstu is bad", "Key … is bad"),
    ("Key “AIzaSyBzzyyxxwwvv”, no", "Key “…”, no"),
    ("Incorrect API key provided: sk-proj-abc***xyz. Find", "Incorrect API key provided: … Find"),
    ("part 456789abcd of it", "part … of it"), ("Authorization: Bearer abc123 sent", "Authorization: … sent"),
    ("with Bearer abc123, no", "with Bearer … no"),
    ("api_key=abc123&x=1 bad", "api_key=… bad"), ("?key=abc123", "?key=…"),
    ("x-goog-api-key: abc!", "x-goog-api-key: …"),
    ("\"token\":\"abc\"", "\"token\":…"), ("https://host/p?key=abc&b=c#d e", "https://host/p e"),
    ("https://user:word@host/p", "https://host/p"), ("file:///etc/passwd no", "… no"),
    ("open '/home/ann/photo.jpg' failed", "open '… failed"), ("in /var/lib/x/y.py:12", "in …"),
    ("at C:\\Users\\ann\\a.jpg", "at …"), ("see ~/secret/place", "see …"), ("path=/tmp/a/b", "path=…"),
    ("data iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4 end", "data … end"),
    ("data:image/png;base64,iVBORw0KGgo= end", "… end"),
    ("id 0123456789abcdef0123456789abcdef end", "id … end"), ("a\nb\r\n\tc\u{0}d\u{202e}e", "a b c d e"),
  ])
  func hidden(text: String, expected: String) {
    #expect(ProviderMessage(text, hiding: key)?.text == expected)
  }

  @Test("a provider's own words are one line of at most 300 characters")
  func short() throws {
    let long = try #require(ProviderMessage(String(repeating: "word ", count: 100_000), hiding: key))
    #expect(long.text.count == 300)
    #expect(long.text.hasSuffix("…"))
    #expect(ProviderMessage(String(repeating: "x", count: 299) + "y", hiding: nil)?.text.count == 300)
  }

  @Test(
    "a provider's own words are left out when nothing remains", arguments: ["", " \n ", "…", "?!", "sk-0123456789abcdef"])
  func nothing(text: String) {
    #expect(ProviderMessage(text, hiding: key) == nil)
  }

  @Test(
    "a provider's own words never hold eight characters of the key in a row, wherever it stands",
    arguments: 0..<200 as Range<UInt64>)
  func secret(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~!$%&*")
    func text(_ range: ClosedRange<Int>) -> String {
      String((0..<Int.random(in: range, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
    }
    let secret = text(12...60)
    let start = Int.random(in: 0...4, using: &random)
    let shown = Bool.random(using: &random) ? secret : String(secret.dropFirst(start))
    let around = ["", " ", "\"", "'", "key=", "x", "https://h/?key=", "(", "\n"]
    let filler = String(repeating: "word ", count: [0, 3, 50, 3270].randomElement(using: &random) ?? 0)
    let before = around.randomElement(using: &random) ?? ""
    let after = around.randomElement(using: &random) ?? ""
    let message = ProviderMessage("\(filler)\(before)\(shown)\(after) end", hiding: APIKey(secret))?.text ?? ""
    let characters = Array(secret)
    for index in 0...characters.count - 8 {
      #expect(!message.contains(String(characters[index..<index + 8])), "seed \(seed)")
    }
  }
}
