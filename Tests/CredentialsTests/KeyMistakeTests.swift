import Testing

@testable import Credentials

@Suite("What is given in place of a key")
struct KeyMistakeTests {
  static let mistakes: [(String, KeyMistake)] = [
    ("${OPENAI_API_KEY}", .variable), ("sk-${KEY}", .variable), ("$OPENAI_API_KEY", .variable), ("$env:KEY", .variable),
    ("%OPENAI_API_KEY%", .variable), ("{{ openai_key }}", .variable), ("{env:KEY}", .variable),
    ("$(pass openai)", .variable), ("op://vault/openai/key", .variable), ("YOUR_API_KEY", .example), ("YOUR_KEY", .example),
    ("your-api-key-here", .example), ("your_key_here", .example), ("Your key", .example), ("<your key>", .example),
    ("<API_KEY>", .example), ("[key]", .example), ("sk-...", .example), ("sk-...xxx", .example), ("sk-xxxx", .example),
    ("AIzaSyXXXXXXXXXXXX", .example), ("xxx", .example), ("sk-proj-…", .example), ("sk-***", .example),
    ("insert-key-here", .example), ("PASTE_YOUR_TOKEN", .example),
    ("changeme", .example), ("replace-me", .example), ("None", .example), ("null", .example), ("undefined", .example),
    ("OPENAI_API_KEY", .example), ("gemini_api_key", .example), ("****", .example), ("\"sk-real1234\"", .quotes),
    ("'sk-real1234'", .quotes), ("“sk-real1234”", .quotes), ("\"sk-real1234", .quotes), ("`sk-real1234`", .quotes),
    (" \"sk-real1234\" ", .quotes), ("Bearer sk-real1234", .prefix), ("bearer sk-real1234", .prefix), ("Bearer", .prefix),
    ("Authorization: Bearer sk-real1234", .prefix), ("x-goog-api-key: AIzaReal", .prefix),
    ("OPENAI_API_KEY=sk-real1234", .prefix), ("export GEMINI_API_KEY=AIzaReal", .prefix),
  ]

  @Test("a mistake in place of a key is known for what it is, and its words say nothing of it", arguments: mistakes)
  func mistake(text: String, expected: KeyMistake) {
    #expect(KeyMistake(text) == expected)
    #expect(!expected.problem.contains("real1234"))
  }

  @Test("any other text is a key, also one that somebody made up for a server of their own", arguments: [
    "sk-proj-Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1", "AIzaSyD-0123456789abcdefWXYZ", "AQ.Ab8RN6Lx-abc_def", "sk-1234", "EMPTY",
    "dummy", "lm-studio", "ollama", "not-needed", "token-abc123", "my-secret-key", "-dash=and'quote\"%s$(x)\\n", "a$b",
    "50%off", "k", "an-invented-key-aaaa-1111", "sk-or-v1-00aa11bb", "hf_AbCdXxXx9", "abc=", "key=value", "yourself", "",
  ])
  func key(text: String) {
    #expect(KeyMistake(text) == nil)
  }
}
