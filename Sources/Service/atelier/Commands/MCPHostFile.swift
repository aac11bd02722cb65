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
    let after = try host.list == nil ? Self.added(entry, toTOML: before) : added(entry, toJSON: before)
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

  private func added(_ entry: MCPServerEntry, toJSON bytes: [UInt8]) throws -> [UInt8] {
    let text = (try? SavedText.withoutMark(bytes)) ?? bytes
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

  /// A table may stand at the end of any TOML file, unless there is one of its name.
  static func added(_ entry: MCPServerEntry, toTOML bytes: [UInt8]) throws -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    let names = text.split(separator: "\n").map { $0.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" } }
    guard !names.contains(where: { $0.hasPrefix("[mcp_servers.\(MCPServerEntry.name)]") }) else {
      throw Problem(reason: "has a server \(MCPServerEntry.name) already")
    }
    guard !names.contains(where: { $0.hasPrefix("mcp_servers=") || $0.hasPrefix("mcp_servers.\(MCPServerEntry.name)") })
    else { throw Problem(reason: "writes its servers in another form") }
    let gap = text.isEmpty ? "" : text.hasSuffix("\n") ? "\n" : "\n\n"
    return Array((text + gap + entry.toml + "\n").utf8)
  }
}
