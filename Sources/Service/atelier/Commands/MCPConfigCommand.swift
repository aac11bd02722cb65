import ArgumentParser
import Encodings
import Glibc
import JSON
import POSIX

/// `atelier mcp config`: what a host's configuration needs to start the server.
struct MCPConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print what belongs into an AI assistant's configuration, or write it there.",
    discussion: """
      Without a host, it lists the hosts with their configuration files. The options of `atelier mcp`, --config and
      --data-dir become part of what is written; ATELIER_CONFIG and ATELIER_DATA_DIR are copied, because hosts do not pass
      on the variables of a shell.

      --write adds the server to the file, or replaces an earlier entry, and leaves all others as they are. The file as it
      was is kept beside it, with .bak at its end. A file with comments, or one that cannot be read, is not touched: what to
      paste is printed instead.

        atelier mcp config
        atelier mcp config claude
        atelier mcp config cursor --write --wait 20
      """)

  @Argument(
    help: "The host: \(MCPHostName.allCases.map(\.rawValue).joined(separator: ", ")).",
    completion: .list(MCPHostName.allCases.map(\.rawValue)))
  var host: MCPHostName?

  @Flag(help: "Write it into the host's own file.")
  var write = false

  @OptionGroup var options: MCPOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard host != nil || !write else { throw ValidationError("Name the host whose file is to be written.") }
  }

  func run() throws {
    guard let host else { return list() }
    let entry = MCPServerEntry(command: Self.executable, arguments: arguments, environment: environment)
    guard write else { return print(entry.text(for: host)) }
    guard let path = host.path(Environment.value(of:)) else {
      throw CommandFailure(sentence: "There is no home directory, in which the file of \(host.title) would be.")
    }
    do {
      let file = MCPHostFile(path: path, host: host)
      let backup = try file.add(entry)
      print("\(path.homeRelative) has the server \(MCPServerEntry.name) now. Start \(host.title) again.")
      if let backup { print("The file as it was: \(backup.homeRelative)") }
    } catch let problem as MCPHostFile.Problem {
      // What is printed can be pasted, and what is said does not get in between.
      print(entry.text(for: host))
      throw CommandFailure(
        sentence: "\(path.homeRelative) \(problem.reason), so it was not changed. Add what is printed above yourself.")
    }
  }

  private func list() {
    let width = MCPHostName.allCases.map(\.rawValue.count).max() ?? 0
    for host in MCPHostName.allCases {
      let name = host.rawValue + String(repeating: " ", count: width - host.rawValue.count)
      let path = host.path(Environment.value(of:)) ?? host.file.path
      let isThere = access(path, F_OK) == 0
      print("\(name)  \(path.homeRelative)\(isThere ? "" : " (not there)")")
    }
  }

  private var arguments: [String] {
    var arguments = [MCPCommand.name] + options.arguments
    // A host starts the server in a folder of its own.
    if let directory = common.dataDirectory { arguments += ["--data-dir", Self.absolute(directory)] }
    if let config = common.config { arguments += ["--config", Self.absolute(config)] }
    if let level = common.logLevel { arguments += ["--log-level", level.level.rawValue] }
    return arguments
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = try? ForeignText.workingDirectory() else { return path }
    return "\(folder)/\(path)"
  }

  /// The path of this program: a host has a `PATH` of its own.
  private static var executable: String {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    // `readlink` writes no more than the count it is given.
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return String(validating: buffer.prefix(max(0, count)), as: UTF8.self).flatMap { $0.isEmpty ? nil : $0 } ?? "atelier"
  }

  /// The variables of the shell that a host does not pass on and no option overrides; never a key.
  private var environment: [(String, String)] {
    [("ATELIER_CONFIG", common.config), ("ATELIER_DATA_DIR", common.dataDirectory)].compactMap { name, option in
      option == nil ? Environment.value(of: name).map { (name, $0) } : nil
    }
  }
}

extension MCPHostName: ExpressibleByArgument {}
