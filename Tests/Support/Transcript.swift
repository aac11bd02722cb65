import JSON

/// A conversation between a host and the service, as a file in `protocol/transcripts` tells it; the grammar is in
/// the README there.
public struct Transcript: Sendable, Equatable {
  public enum Step: Sendable, Equatable {
    /// `-->`: the host sends this text, as it stands but for captured values.
    case send(String)
    /// `<--`: the service sends one message like this.
    case expect(JSONValue)
    /// `<--*`: until the next `<--`, the service may send any number of messages like this.
    case allow(JSONValue)
  }

  public struct Line: Sendable, Equatable {
    /// From 1, where the step begins in the file.
    public var number: Int
    public var step: Step
  }

  /// What it shows: the first comment.
  public private(set) var title = ""
  public private(set) var lines: [Line] = []

  /// Reads the text of a transcript.
  /// - Throws: ``TranscriptSyntaxError`` with the line that is none.
  public init(parsing text: String) throws(TranscriptSyntaxError) {
    var pending: (number: Int, text: String)?
    for (number, line) in zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false)) {
      if line.first == " ", let begun = pending {
        pending = (begun.number, begun.text + line.drop { $0 == " " })
        continue
      }
      try add(pending)
      pending = nil
      if line.first == "#" {
        if title.isEmpty { title = String(line.dropFirst().drop { $0 == " " }) }
      } else if line.contains(where: { $0 != " " }) {
        pending = (number, String(line))
      }
    }
    try add(pending)
  }

  private mutating func add(_ written: (number: Int, text: String)?) throws(TranscriptSyntaxError) {
    guard let (number, text) = written else { return }
    guard let (arrow, rest) = Self.arrows.lazy.compactMap({ arrow in Self.rest(of: text, after: arrow) }).first else {
      throw TranscriptSyntaxError(line: number, problem: "a line begins with -->, <--, <--*, # or a space")
    }
    if arrow == "-->" {
      lines.append(Line(number: number, step: .send(rest)))
      return
    }
    do {
      let pattern = try JSONValue(parsing: rest.utf8)
      lines.append(Line(number: number, step: arrow == "<--" ? .expect(pattern) : .allow(pattern)))
    } catch {
      throw TranscriptSyntaxError(line: number, problem: error.message)
    }
  }

  private static let arrows = ["-->", "<--*", "<--"]

  private static func rest(of text: String, after arrow: String) -> (arrow: String, rest: String)? {
    text.hasPrefix(arrow + " ") ? (arrow, String(text.dropFirst(arrow.count + 1))) : nil
  }
}

/// Why a text is no transcript.
public struct TranscriptSyntaxError: Error, Sendable, Equatable {
  /// From 1.
  public var line: Int
  public var problem: String
}
