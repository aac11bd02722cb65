import Foundation
import JSON
import ServiceFixture
import Support
import Testing

@testable import atelier

@Suite("atelier mcp config", .timeLimit(.minutes(2)))
struct MCPConfigCommandTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ arguments: String...) async throws -> Executable.Outcome {
    try await Executable.run(["mcp", "config"] + arguments, environment: ["HOME": directory.path])
  }

  private func file(_ path: String, _ text: String) throws -> String {
    let path = directory.path(path)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("mcp config without a host lists every host with its file")
  func list() async throws {
    _ = try file(".cursor/mcp.json", "{}")
    let outcome = try await run()
    #expect(outcome.lines.count == MCPHostName.allCases.count)
    #expect(outcome.lines.contains("cursor       ~/.cursor/mcp.json"))
    #expect(outcome.lines.contains("zed          ~/.config/zed/settings.json (not there)"))
  }

  @Test("mcp config --write makes the file of a host that has none", arguments: MCPHostName.allCases.map(\.rawValue))
  func make(host: String) async throws {
    let outcome = try await run(host, "--write")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let name = try #require(MCPHostName(rawValue: host))
    let path = try #require(name.path { $0 == "HOME" ? directory.path : nil })
    let printed = try await run(host)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == printed.output)
    #expect(!FileManager.default.fileExists(atPath: "\(path).bak"))
  }

  @Test("mcp config --write leaves other servers and members as they are, and keeps the file as it was beside it")
  func merge() async throws {
    let before = #"{"theme":"dark","mcpServers":{"other":{"command":"x"},"atelier":{"command":"old"}},"size":1.50}"#
    let path = try file(".cursor/mcp.json", before)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try await run("cursor", "--write", "--wait", "20").status == 0)
    let after = try String(contentsOfFile: path, encoding: .utf8)
    let value = try JSONValue(parsing: Array(after.utf8))
    #expect(value["mcpServers"]?["other"]?["command"] == "x" && value["theme"] == "dark" && after.contains("1.50"))
    #expect(value["mcpServers"]?["atelier"]?["args"] == ["mcp", "--wait", "20"])
    #expect(value.object?.keys == ["theme", "mcpServers", "size"])
    #expect(try String(contentsOfFile: "\(path).bak", encoding: .utf8) == before)
    #expect(try FileManager.default.attributesOfItem(atPath: "\(path).bak")[.posixPermissions] as? Int == 0o600)
    // The next change keeps what the first one kept.
    #expect(try await run("cursor", "--write", "--wait", "30").status == 0)
    #expect(try String(contentsOfFile: "\(path).bak", encoding: .utf8) == before)
    #expect(try String(contentsOfFile: "\(path).bak.2", encoding: .utf8) == after)
  }

  @Test("mcp config --write does not touch a file that it could damage, and prints what to paste", arguments: [
    ("zed", ".config/zed/settings.json", "{\n  // mine\n  \"theme\": \"x\"\n}", "has comments"),
    ("cursor", ".cursor/mcp.json", #"{"mcpServers": [], "#, "is not plain JSON"),
    ("cursor", ".cursor/mcp.json", #"{"mcpServers": []}"#, "has a mcpServers that is no list"),
    ("codex", ".codex/config.toml", "[mcp_servers.atelier] # mine\ncommand = \"x\"\n", "has a server atelier already"),
    ("codex", ".codex/config.toml", "\u{FEFF}[mcp_servers.atelier]\n# x\na = 1\n", "has a server atelier already"),
    ("codex", ".codex/config.toml", "a = \"\"\"\n[x]\"\"\"\n[mcp_servers.atelier]\n", "has a server atelier already"),
    ("codex", ".codex/config.toml", "[mcp_servers.atelier]\n[x]\n[mcp_servers.atelier.env]\n", "in another form"),
    ("codex", ".codex/config.toml", "m\0o\0d\0e\0l\0", "is in UTF-16: save it as UTF-8 and try again"),
    ("cursor", ".cursor/mcp.json", "{\0}\0", "is in UTF-16: save it as UTF-8 and try again"),
    ("codex", ".codex/config.toml", "mcp_servers = { other = { command = \"x\" } }\n", "in another form"),
  ])
  func refused(host: String, name: String, text: String, reason: String) async throws {
    let path = try file(name, text)
    let outcome = try await run(host, "--write")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    #expect(outcome.output.contains("atelier") && outcome.output.contains("command"))
    #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == Array(text.utf8))
    #expect(!FileManager.default.fileExists(atPath: "\(path).bak"))
  }

  @Test("mcp config --write adds a table at the end of a TOML file")
  func table() async throws {
    let path = try file(".codex/config.toml", "model = \"o3\" # mine\n\n[mcp_servers.other]\ncommand = \"x\"")
    #expect(try await run("codex", "--write").status == 0)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let before = "model = \"o3\" # mine\n\n[mcp_servers.other]\ncommand = \"x\""
    #expect(text.hasPrefix("\(before)\n\n[mcp_servers.atelier]\ncommand = "))
    #expect(text.contains("args = [\"mcp\"]"))
  }

  @Test("mcp config --write replaces its own table in a TOML file, and nothing round it", arguments: ["\n", "\r\n"])
  func ownTable(ending: String) async throws {
    let (before, after) = ("model = \"o3\"\n\n", "\n\n# The other one.\n[mcp_servers.other]\ncommand = \"[x\"\n")
    let own = "[mcp_servers.\"atelier\"]\ncommand = \"old\"\nargs = [\n  \"mcp\"\n]\n\n[mcp_servers.atelier.env]\nA = \"b\""
    let path = try file(".codex/config.toml", (before + own + after).replacing("\n", with: ending))
    #expect(try await run("codex", "--write", "--wait", "22").status == 0)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let entry = try await run("codex", "--wait", "22").output
    #expect(text.replacing("\r\n", with: "\n") == before + entry.dropLast() + after)
    #expect(text.hasSuffix(after.dropFirst().replacing("\n", with: ending)) && text.hasPrefix("model = \"o3\"\(ending)"))
    // Once more over what it has written.
    #expect(try await run("codex", "--write").status == 0)
    let again = try String(contentsOfFile: path, encoding: .utf8)
    #expect(!again.contains("--wait") && again.contains("[mcp_servers.other]"))
  }

  @Test("mcp config writes paths that hold wherever the host starts the server")
  func paths() async throws {
    let outcome = try await run("claude", "--config", "atelier.json", "--data-dir", "/srv/data")
    let server = try JSONValue(parsing: Array(outcome.output.utf8))["mcpServers"]?["atelier"]
    #expect(server?["args"] == ["mcp", "--data-dir", "/srv/data", "--config", .string("\(Fixture.project)/atelier.json")])
    #expect(server?["command"]?.string == Executable.path)
  }

  @Test("mcp config --write does not touch a TOML file that is not UTF-8: it would lose what another program wrote there")
  func otherEncoding() async throws {
    let path = try file(".codex/config.toml", "")
    let before = Array("model = \"o3\"\n# Z".utf8) + [0xFC] + Array("rich\n".utf8)
    try Data(before).write(to: URL(filePath: path))
    let outcome = try await run("codex", "--write")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("is not UTF-8 in line 2: save it as UTF-8 and try again"), "\(outcome.errors)")
    #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == before)
    #expect(!FileManager.default.fileExists(atPath: "\(path).bak"))
  }
}
