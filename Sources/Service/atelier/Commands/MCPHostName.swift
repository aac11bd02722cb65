import JSON

/// A program whose configuration names the MCP servers that it starts.
enum MCPHostName: String, CaseIterable {
  case claude
  case claudeCode = "claude-code"
  case cursor, vscode, gemini, codex, zed, windsurf, cline, opencode

  /// The name that people know.
  var title: String {
    switch self {
    case .claude: "Claude Desktop"
    case .claudeCode: "Claude Code"
    case .cursor: "Cursor"
    case .vscode: "VS Code"
    case .gemini: "Gemini CLI"
    case .codex: "Codex"
    case .zed: "Zed"
    case .windsurf: "Windsurf"
    case .cline: "Cline"
    case .opencode: "opencode"
    }
  }

  /// Where its configuration file begins: a folder that a variable may name.
  enum Folder: Equatable {
    case home
    /// `$XDG_CONFIG_HOME`, otherwise `~/.config`.
    case configuration
    /// `$CODEX_HOME`, otherwise `~/.codex`.
    case codex
  }

  /// The file of the person's own configuration.
  var file: (folder: Folder, path: String) {
    switch self {
    case .claude: (.configuration, "Claude/claude_desktop_config.json")
    case .claudeCode: (.home, ".claude.json")
    case .cursor: (.home, ".cursor/mcp.json")
    case .vscode: (.configuration, "Code/User/mcp.json")
    case .gemini: (.home, ".gemini/settings.json")
    case .codex: (.codex, "config.toml")
    case .zed: (.configuration, "zed/settings.json")
    case .windsurf: (.home, ".codeium/windsurf/mcp_config.json")
    case .cline:
      (.configuration, "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json")
    case .opencode: (.configuration, "opencode/opencode.json")
    }
  }

  /// The path of the file.
  /// - Parameter environment: the variables.
  /// - Returns: nil where there is no home directory.
  func path(_ environment: (String) -> String?) -> String? {
    guard let home = environment("HOME") else { return nil }
    let folder =
      switch file.folder {
      case .home: home
      case .configuration: environment("XDG_CONFIG_HOME") ?? "\(home)/.config"
      case .codex: environment("CODEX_HOME") ?? "\(home)/.codex"
      }
    return "\(folder)/\(file.path)"
  }

  /// The member of the file that lists the servers; nil for one that is not JSON.
  var list: String? {
    switch self {
    case .claude, .claudeCode, .cursor, .gemini, .windsurf, .cline: "mcpServers"
    case .vscode: "servers"
    case .zed: "context_servers"
    case .opencode: "mcp"
    case .codex: nil
    }
  }
}

/// How a host starts this program as a server.
struct MCPServerEntry {
  static let name = "atelier"

  var command: String
  var arguments: [String]
  var environment: [(String, String)]

  /// The entry in a list of servers.
  func entry(for host: MCPHostName) -> JSONObject {
    let variables = JSONValue.object(JSONObject(members: environment.map { ($0.0, .string($0.1)) }))
    let words = arguments.map(JSONValue.string)
    if host == .opencode {
      var entry: JSONObject = ["type": "local", "command": .array([.string(command)] + words), "enabled": true]
      if !environment.isEmpty { entry["environment"] = variables }
      return entry
    }
    var entry: JSONObject = ["command": .string(command), "args": .array(words)]
    if host == .vscode || host == .claudeCode { entry["type"] = "stdio" }
    if !environment.isEmpty { entry["env"] = variables }
    return entry
  }

  /// What belongs into the file of the host, alone.
  func text(for host: MCPHostName) -> String {
    guard let list = host.list else { return toml }
    return JSONValue.object([list: ["atelier": .object(entry(for: host))]]).indentedText
  }

  /// The table of a TOML file.
  var toml: String {
    // TOML writes basic strings as JSON does.
    var lines = [
      "[mcp_servers.\(Self.name)]", "command = \(JSONValue.string(command).serializedText)",
      "args = \(JSONValue.array(arguments.map(JSONValue.string)).indentedText)",
    ]
    if !environment.isEmpty {
      lines += ["", "[mcp_servers.\(Self.name).env]"]
      lines += environment.map { "\($0.0) = \(JSONValue.string($0.1).serializedText)" }
    }
    return lines.joined(separator: "\n")
  }
}
