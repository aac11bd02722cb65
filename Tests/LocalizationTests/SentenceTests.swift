import JSON
import Localization
import Testing

@Suite("A sentence")
struct SentenceTests {
  private static let known: Sentence = "Too many requests. Please wait and try again."

  @Test("a sentence keeps its English words with numbers for what was interpolated, and what that was")
  func template() {
    let width = 188
    let sentence: Sentence = "The face is \(width) pixels wide in \("anna.jpg")."
    #expect(sentence.template == "The face is {1} pixels wide in {2}.")
    #expect(sentence.text == "The face is 188 pixels wide in anna.jpg.")
  }

  @Test("a sentence written as several literals is one, whose arguments are counted through")
  func joinedLiterals() {
    let sentence: Sentence = "One \(1), " + "two \(2), " + "three \(3)."
    #expect(sentence.template == "One {1}, two {2}, three {3}.")
    #expect(sentence.text == "One 1, two 2, three 3.")
  }

  @Test("braces in an argument or in a text of somebody else stay as they are")
  func braces() {
    let name = "{1}.jpg"
    #expect(("There is no file at \(name), \(2)." as Sentence).text == "There is no file at {1}.jpg, 2.")
    #expect(Sentence(verbatim: "{1} {x} {").text == "{1} {x} {")
    #expect(Sentence(template: "{1} {x} {0} {3} {", arguments: [.text("a")]).text == "a {x} {0} {3} {")
  }

  @Test("a sentence inside another one is translated with it", arguments: Language.allCases.filter { $0 != .english })
  func nested(language: Language) {
    let sentence = Self.known.followed(by: Self.known)
    let translated = Self.known.text(in: language)
    #expect(translated != Self.known.text)
    #expect(sentence.text(in: language).hasPrefix(translated) && sentence.text(in: language).hasSuffix(translated))
  }

  @Test("a sentence without a translation is read in English", arguments: Language.allCases)
  func untranslated(language: Language) {
    #expect(("No table has these \(3) words." as Sentence).text(in: language) == "No table has these 3 words.")
  }

  /// Each kind of argument, and texts that look like what is stored.
  private static let kinds: [Sentence] = [
    known, "", "Wait \(4) seconds.", "\(known) Wait \("{\"template\":")", known.followed(by: "Verified \(2) places so far"),
    Sentence(verbatim: "{\"template\":\"a\"}"), Sentence(verbatim: "{\"template\":"), "Zero \("\u{0}").",
  ]

  @Test("a sentence that is stored is read with its arguments, in a column and in JSON", arguments: kinds)
  func storing(sentence: Sentence) throws {
    for language in Language.allCases {
      let text = sentence.text(in: language)
      if !sentence.text.hasPrefix("{\"template\":") {
        #expect(Sentence(stored: sentence.stored).text(in: language) == text)
      }
      let json = try JSONValueEncoder(sentences: .whole).encode([sentence])
      let read = try JSONValueDecoder(unknownMembers: .ignore).decode([Sentence].self, from: json)
      #expect(read[0].text(in: language) == text)
    }
  }

  @Test("an encoder writes the text in its language, and English if it was told none")
  func encoding() throws {
    let sentences: [Sentence] = [Self.known, "Verified \(2) places so far"]
    #expect(try JSONValueEncoder().encode(sentences) == .array(sentences.map { .string($0.text) }))
    for language in Language.allCases {
      let told = try JSONValueEncoder(sentences: .text(language)).encode(sentences)
      #expect(told == .array(sentences.map { .string($0.text(in: language)) }))
    }
  }
}
