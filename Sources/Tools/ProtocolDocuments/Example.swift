import JSON

/// One example of the protocol: lines of a transcript in `protocol/examples`.
///
/// It begins with a line such as `#: generate — A headshot from a photo` and ends before the next line that is empty or
/// begins with `#`. Lines outside of examples only prepare.
public struct Example: Sendable, Equatable {
  /// The method or notification it is of.
  public var method: String
  /// What it shows.
  public var title: String
  /// The messages as they are written, with their arrows; what may come or not is left out.
  public var lines: [String]

  /// What it is asked for by in a document: `generate — A headshot from a photo`.
  public var name: String { "\(method) — \(title)" }
}

extension Example {
  /// A heading that is none.
  public struct SyntaxError: Error, Equatable, CustomStringConvertible {
    public var line: Int
    public var description: String { "line \(line): a heading is written “#: METHOD — TITLE”" }
  }

  /// The examples of one file.
  public static func all(in text: String) throws(SyntaxError) -> [Example] {
    var examples: [Example] = []
    var current: Example?
    for (number, line) in zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false)) {
      if line.isEmpty || line.hasPrefix("#") {
        if let current { examples.append(current) }
        current = line.hasPrefix("#: ") ? try Example(heading: line.dropFirst(3), number) : nil
      } else if !line.hasPrefix("<--* ") {
        current?.lines.append(String(line))
      }
    }
    if let current { examples.append(current) }
    return examples
  }

  private init(heading: Substring, _ number: Int) throws(SyntaxError) {
    let parts = heading.split(separator: " — ", maxSplits: 1)
    guard parts.count == 2, let method = parts.first, let title = parts.last else { throw SyntaxError(line: number) }
    self.init(method: String(method), title: String(title), lines: [])
  }
}

extension Example {
  /// A message and who sends it.
  public struct Message: Sendable, Equatable {
    public var isFromHost: Bool
    public var json: JSONValue
  }

  /// The messages; what is no JSON is left out.
  public var messages: [Message] {
    lines.compactMap { line in
      guard let json = try? JSONValue(parsing: line.dropFirst(4).utf8) else { return nil }
      return Message(isFromHost: line.hasPrefix("--> "), json: json)
    }
  }

  /// The first message of the method; nil where another one's error is all it shows.
  private var call: Message? { messages.first { $0.json["method"]?.string == method } }

  /// The params of the method or notification.
  public var params: JSONValue? { call.map { $0.json["params"] ?? [:] } }

  /// What the method answers; nil of a notification, and where the answer is an error or comes outside of the example.
  public var result: JSONValue? {
    guard let call, let id = call.json["id"] else { return nil }
    return messages.first { $0.isFromHost != call.isFromHost && $0.json["id"] == id && $0.json["method"] == nil }?.json[
      "result"]
  }
}
