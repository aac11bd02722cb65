/// A sentence for a person, which can be read in several languages.
///
/// It is written as a literal: `"The face is \(pixels) pixels wide."` The English words with `{1}`, `{2}`… in place of what
/// is interpolated are the key of its translations; see ``Language``. What is interpolated stays as it is, except another
/// sentence, which is translated as well.
public struct Sentence: Sendable {
  /// The English words, with `{1}`, `{2}`… where the arguments stand.
  public let template: String
  public let arguments: [Argument]

  /// What stands in place of a number in braces.
  public enum Argument: Sendable {
    /// A name, a number or another text that is the same in every language.
    case text(String)
    case sentence(Sentence)
  }

  /// Of a template without arguments, nothing is replaced.
  public init(template: String, arguments: [Argument] = []) {
    self.template = template
    self.arguments = arguments
  }

  /// A text that is the same in every language, such as one that another program wrote.
  public init(verbatim text: String) {
    self.init(template: text)
  }

  /// The sentence in English.
  public var text: String { text(in: .english) }

  /// The sentence in `language`; in English where that has no translation of it.
  public func text(in language: Language) -> String {
    let words = language.translation(of: template) ?? template
    guard !arguments.isEmpty else { return words }
    return Placeholder.fill(words) { number in
      guard arguments.indices.contains(number - 1) else { return "{\(number)}" }
      return switch arguments[number - 1] {
      case .text(let text): text
      case .sentence(let sentence): sentence.text(in: language)
      }
    }
  }
}

extension Sentence {
  /// This sentence and, behind it, the next one, each with a translation of its own.
  public func followed(by next: Sentence) -> Sentence { "\(self) \(next)" }

  /// One sentence with one translation, written as two literals because a line is short.
  public static func + (first: Sentence, second: Sentence) -> Sentence {
    let before = first.arguments.count
    let rest = second.arguments.isEmpty ? second.template : Placeholder.fill(second.template) { "{\($0 + before)}" }
    return Sentence(template: first.template + rest, arguments: first.arguments + second.arguments)
  }
}

extension Sentence: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(template: text) }

  public init(stringInterpolation parts: StringInterpolation) {
    self.init(template: parts.template, arguments: parts.arguments)
  }

  /// The template and the arguments, as the compiler reads a literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var template = ""
    fileprivate var arguments: [Argument] = []

    public init(literalCapacity: Int, interpolationCount: Int) {
      template.reserveCapacity(literalCapacity + 3 * interpolationCount)
      arguments.reserveCapacity(interpolationCount)
    }

    public mutating func appendLiteral(_ literal: String) { template += literal }

    public mutating func appendInterpolation(_ sentence: Sentence) { append(.sentence(sentence)) }

    public mutating func appendInterpolation(_ value: some CustomStringConvertible) { append(.text(value.description)) }

    private mutating func append(_ argument: Argument) {
      arguments.append(argument)
      template += "{\(arguments.count)}"
    }
  }
}

/// Two sentences are equal if they read the same in English: one that came over the wire has no arguments any more.
extension Sentence: Equatable {
  public static func == (one: Sentence, other: Sentence) -> Bool { one.text == other.text }
}

extension Sentence: CustomStringConvertible {
  public var description: String { text }
}
