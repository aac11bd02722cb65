import JSON

/// The doc comments of a module's types and members, as the compiler's symbol graph tells them.
public struct DocComments: Sendable {
  /// The text of each comment, by the path of what it is written at: `Generate.Output.mode`.
  private var comments: [String: [String]] = [:]
  /// The types that the declaration of each property names, by the property's path.
  private var typesOfProperties: [String: [String]] = [:]
  /// The properties of each type.
  private var properties: [String: [String]] = [:]

  /// - Parameter symbolGraph: what `swift symbolgraph-extract` writes of one module.
  public init(symbolGraph: JSONValue) {
    let symbols = symbolGraph["symbols"]?.array ?? []
    var paths: [String: String] = [:]
    for symbol in symbols {
      guard let identifier = symbol["identifier"]?["precise"]?.string else { continue }
      paths[identifier] = Self.path(of: symbol)
    }
    for symbol in symbols { add(symbol, paths) }
  }

  private static func path(of symbol: JSONValue) -> String {
    let components = symbol["pathComponents"]?.array ?? []
    return components.compactMap { $0.string?.replacing("`", with: "") }.joined(separator: ".")
  }

  private mutating func add(_ symbol: JSONValue, _ paths: [String: String]) {
    let path = Self.path(of: symbol)
    let (parent, name) = Self.split(path)
    if let lines = symbol["docComment"]?["lines"]?.array {
      comments[path] = Self.paragraphs(lines.compactMap { $0["text"]?.string })
    }
    guard symbol["kind"]?["identifier"]?.string == "swift.property" else { return }
    properties[parent, default: []].append(name)
    let fragments = symbol["declarationFragments"]?.array ?? []
    typesOfProperties[path] = fragments.compactMap { $0["preciseIdentifier"]?.string.flatMap { paths[$0] } }
  }

  /// The path of what `path` belongs to, and its own name.
  private static func split(_ path: String) -> (parent: String, name: String) {
    guard let dot = path.lastIndex(of: ".") else { return ("", path) }
    return (String(path[..<dot]), String(path[path.index(after: dot)...]))
  }

  /// What a comment says of the thing itself: without the lists of parameters, and with links as plain code.
  private static func paragraphs(_ lines: [String]) -> [String] {
    var paragraphs: [String] = [""]
    for line in lines {
      let text = line.replacing(#/\s+$/#, with: "").replacing("``", with: "`")
      if text.hasPrefix("- ") { break }
      if text.isEmpty {
        paragraphs.append("")
      } else {
        let separator = paragraphs[paragraphs.count - 1].isEmpty ? "" : " "
        paragraphs[paragraphs.count - 1] += separator + text.replacing(#/^\s+/#, with: "")
      }
    }
    return paragraphs.filter { !$0.isEmpty }
  }
}

extension DocComments {
  /// All that is written at `path`, a paragraph to an element; nil where nothing is.
  public func paragraphs(_ path: String) -> [String]? {
    comments[path].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// All that is written at `path`, as one text.
  public func text(_ path: String) -> String? { paragraphs(path)?.joined(separator: " ") }

  /// What a member of a type means.
  ///
  /// The comment of the stored property with the name of the member; else that of the case of that name in `CodingKeys`;
  /// else the same in the types of the stored properties that are no members, because they are decoded in line.
  /// - Parameter members: the names of all members of the type.
  public func text(ofMember name: String, in type: String, members: [String]) -> String? {
    if let text = text("\(type).\(name)") ?? text("\(type).CodingKeys.\(name)") { return text }
    for property in properties[type] ?? [] where !members.contains(property) {
      for inner in typesOfProperties["\(type).\(property)"] ?? [] where inner != type {
        if let text = text(ofMember: name, in: inner, members: members) { return text }
      }
    }
    return nil
  }
}
