import JSON

/// What is written of a ``Sentence``.
public enum SentenceForm: Sendable, Equatable {
  /// Its text in this language.
  case text(Language)
  /// All of it, so that whoever reads it later chooses the language.
  case whole
}

extension CodingUserInfoKey {
  /// The ``SentenceForm`` of an encoder; without it, sentences are written in English.
  static let sentenceForm = CodingUserInfoKey(rawValue: "sentenceForm")
}

extension JSONValueEncoder {
  /// - Parameters:
  ///   - form: what is written of sentences.
  ///   - isDisclosed: which texts are encoded, see ``DisclosingEncoder``.
  public init(sentences form: SentenceForm, disclosing isDisclosed: (@Sendable (String) -> Bool)? = nil) {
    let key = form == .text(.english) ? nil : CodingUserInfoKey.sentenceForm
    self.init(disclosing: isDisclosed, userInfo: key.map { [$0: form] } ?? [:])
  }
}

/// A string, or the whole of a sentence that has arguments: `{"template": "Verified {1} places.", "arguments": ["3"]}`. An
/// argument is a string or the whole of a sentence.
extension Sentence: Codable {
  private enum Member: String, CodingKey {
    case template, arguments
  }

  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(template: text)
      return
    }
    let members = try decoder.container(keyedBy: Member.self)
    self.init(
      template: try members.decode(String.self, forKey: .template),
      arguments: try members.decode([Argument].self, forKey: .arguments))
  }

  public func encode(to encoder: any Encoder) throws {
    let form = CodingUserInfoKey.sentenceForm.flatMap { encoder.userInfo[$0] as? SentenceForm } ?? .text(.english)
    switch form {
    case .text(let language):
      var container = encoder.singleValueContainer()
      try container.encode(text(in: language))
    case .whole where arguments.isEmpty:
      var container = encoder.singleValueContainer()
      try container.encode(template)
    case .whole: try encodeMembers(to: encoder)
    }
  }

  fileprivate func encodeMembers(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Member.self)
    try members.encode(template, forKey: .template)
    try members.encode(arguments, forKey: .arguments)
  }
}

extension Sentence.Argument: Codable {
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self = .text(text)
    } else {
      self = .sentence(try Sentence(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    // Written with its members even without arguments, for a string would be a text.
    case .sentence(let sentence): try sentence.encodeMembers(to: encoder)
    }
  }
}

extension Sentence {
  /// All of it as a text: the template alone if it has no arguments, else the JSON of ``SentenceForm/whole``.
  public var stored: String {
    guard !arguments.isEmpty, let json = try? JSONValueEncoder(sentences: .whole).encode(self) else { return text }
    return json.serializedText
  }

  /// Reads what ``stored`` wrote. Any other text is a sentence without arguments.
  public init(stored text: String) {
    guard text.utf8.starts(with: "{\"\(Member.template.rawValue)\":".utf8),
      let json = try? JSONValue(parsing: Array(text.utf8)),
      let sentence = try? JSONValueDecoder(unknownMembers: .ignore).decode(Sentence.self, from: json)
    else {
      self.init(template: text)
      return
    }
    self = sentence
  }
}
