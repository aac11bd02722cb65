import Encodings
import Glibc
import JSON
import POSIX

/// The configuration file of a host, into which a server is written.
struct MCPHostFile {
  let path: String
  let host: MCPHostName

  /// Why the file cannot be changed, phrased to follow its path: "has comments".
  struct Problem: Error, Equatable {
    var reason: String
  }

  /// Adds the server, or replaces an earlier entry of it. Everything else in the file stays.
  /// - Returns: the path of a copy of the file as it was; nil where there was none.
  /// - Throws: ``Problem`` when the file cannot be changed without losing something, `CommandFailure` when it cannot be
  ///   written.
  func add(_ entry: MCPServerEntry) throws -> String? {
    guard access(path, F_OK) == 0 else {
      try makeFolder()
      try ChangedFile.replace(path, with: Array((entry.text(for: host) + "\n").utf8))
      return nil
    }
    let before = try contents()
    let text = try Self.text(in: before)
    let after = try host.list == nil ? Self.added(entry, toTOML: text) : added(entry, toJSON: text)
    let backup = freeName(for: before)
    try ChangedFile.replace(backup, with: before, rightsOf: path)
    try ChangedFile.replace(path, with: after)
    return backup
  }

  /// Where the file is kept as it was: what an earlier change has kept there, or somebody else, stays.
  private func freeName(for bytes: [UInt8]) -> String {
    var (name, number) = ("\(path).bak", 1)
    while access(name, F_OK) == 0, (try? FileSystem.read(name)) != bytes {
      number += 1
      name = "\(path).bak.\(number)"
    }
    return name
  }

  private func contents() throws -> [UInt8] {
    do throws(FileFailure) {
      // Through a symbolic link, as dotfiles often are.
      return try FileSystem.read(try FileSystem.resolved(path))
    } catch {
      throw Problem(reason: "cannot be read (\(error.reason))")
    }
  }

  private func makeFolder() throws {
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    do throws(FileFailure) {
      try FileSystem.makeDirectories(String(folder))
    } catch {
      throw CommandFailure(sentence: "\(folder) cannot be made: \(error.reason).")
    }
  }

  private static func text(in bytes: [UInt8]) throws(Problem) -> [UInt8] {
    do throws(SavedText.OtherEncoding) {
      return try SavedText.checked(bytes)
    } catch {
      throw Problem(reason: error.reason)
    }
  }

  private func added(_ entry: MCPServerEntry, toJSON text: [UInt8]) throws -> [UInt8] {
    let isBlank = text.allSatisfy { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    let parsed: JSONValue
    do throws(JSONSyntaxError) {
      parsed = try isBlank ? [:] : JSONValue(parsing: text)
    } catch {
      throw Problem(reason: "is not plain JSON: it has comments, a comma too many, or is damaged")
    }
    guard let list = host.list, case .object(var members) = parsed else { throw Problem(reason: "is no JSON object") }
    guard members[list] == nil || members[list]?.object != nil else {
      throw Problem(reason: "has a \(list) that is no list")
    }
    var servers = members[list]?.object ?? [:]
    servers[MCPServerEntry.name] = .object(entry.entry(for: host))
    members[list] = .object(servers)
    return Array((JSONValue.object(members).indentedText + "\n").utf8)
  }

  /// A table may stand at the end of any TOML file. One of this name is replaced where it is, unless it has comments.
  static func added(_ entry: MCPServerEntry, toTOML bytes: [UInt8]) throws -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    // By bytes: a carriage return stays with its line.
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      String(decoding: line, as: UTF8.self)
    }
    let plain = lines.map { $0.filter { !$0.isWhitespace } }
    let names = plain.map { $0.filter { $0 != "\"" && $0 != "'" } }
    let own = "mcp_servers.\(MCPServerEntry.name)"
    guard !names.contains(where: { $0.hasPrefix("mcp_servers=") || $0.hasPrefix(own) }) else {
      throw Problem(reason: "writes its servers in another form")
    }
    guard let start = names.firstIndex(where: { $0.hasPrefix("[\(own)]") }) else {
      let gap = text.isEmpty ? "" : text.hasSuffix("\n") ? "\n" : "\n\n"
      return Array((text + gap + entry.toml + "\n").utf8)
    }
    let isOwnVariables = { (name: String) in name.hasPrefix("[\(own).env]") }
    var end = start + 1
    while end < lines.count, !plain[end].hasPrefix("[") || isOwnVariables(names[end]) { end += 1 }
    // What stands before the next table belongs to that.
    while end > start + 1, plain[end - 1].isEmpty || plain[end - 1].hasPrefix("#") { end -= 1 }
    // Texts of several lines could hold what looks like a table.
    guard !plain[start..<end].contains(where: { $0.contains("#") }),
      !text.contains("\"\"\""), !text.contains("'''"), !names[end...].contains(where: isOwnVariables)
    else { throw Problem(reason: "has a server \(MCPServerEntry.name) already, with comments or in another form") }
    let before = lines[..<start].map { "\($0)\n" }.joined()
    let after = lines[end...].map { "\n\($0)" }.joined()
    return Array((before + entry.toml + (after.isEmpty ? "\n" : after)).utf8)
  }
}
