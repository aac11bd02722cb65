import Glibc
import JSON

/// A host whose configuration names the servers that it starts.
enum MCPHostConfiguration: String {
  case claude, cursor, vscode, gemini, codex

  /// The part of the host's configuration file that starts `command`.
  func text(command: String, arguments: [String], environment: [(String, String)]) -> String {
    if self == .codex { return Self.toml(command, arguments, environment) }
    var server: JSONObject = ["command": .string(command), "args": .array(arguments.map(JSONValue.string))]
    if self == .vscode { server["type"] = "stdio" }
    if !environment.isEmpty {
      server["env"] = .object(JSONObject(members: environment.map { ($0.0, .string($0.1)) }))
    }
    let list = self == .vscode ? "servers" : "mcpServers"
    return JSONValue.object([list: ["atelier": .object(server)]]).serializedText
  }

  private static func toml(_ command: String, _ arguments: [String], _ environment: [(String, String)]) -> String {
    // TOML writes basic strings as JSON does.
    var lines = [
      "[mcp_servers.atelier]", "command = \(JSONValue.string(command).serializedText)",
      "args = \(JSONValue.array(arguments.map(JSONValue.string)).serializedText)",
    ]
    if !environment.isEmpty {
      lines += ["", "[mcp_servers.atelier.env]"] + environment.map { "\($0.0) = \(JSONValue.string($0.1).serializedText)" }
    }
    return lines.joined(separator: "\n")
  }
}
