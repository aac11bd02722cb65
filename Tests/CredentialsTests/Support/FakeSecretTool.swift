import AtelierProtocol
import Foundation
import Support

@testable import Credentials

/// A program that goes by the name of `secret-tool` and behaves well or badly. It writes down how it was called.
struct FakeSecretTool: Sendable {
  enum Manner: String, CaseIterable, Sendable {
    /// Keeps secrets in files.
    case working
    /// Has what it has, tells that it has it, and neither gives nor takes anything: a keyring nobody unlocked.
    case locked
    /// Works, but gives what it has read first only after ``release()``.
    case waiting
    /// Never ends, and neither does a process it has started.
    case hanging
    /// Keeps nothing and says that all is well.
    case lying
    case failing
    case crashing
    /// Writes what no keyring would.
    case garbage
    /// Writes more than anybody wants to read.
    case flooding
    /// Has something under the name that is no key.
    case holdingNonsense
  }

  private let folder: String

  /// Puts the program into `fixture`, in the place of the one there was.
  init(_ manner: Manner, in fixture: CredentialsFixture) throws {
    folder = "\(fixture.path)/keyring"
    try FileManager.default.createDirectory(atPath: "\(folder)/bin", withIntermediateDirectories: true)
    try ProgramFile.write(Self.script(manner, folder: folder), at: "\(folder)/bin/secret-tool")
  }

  /// What leads to it.
  var variables: [String: String] {
    [
      "PATH": "relative:/nonexistent:\(folder)/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus",
      "HOME": "/nonexistent",
    ]
  }

  /// Puts a secret into it, as another program might.
  func put(_ secret: String, for provider: ProviderID) throws {
    try Data(secret.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(provider.rawValue)"))
  }

  /// Whether one that waits has read what it will give.
  var isWaiting: Bool { FileManager.default.fileExists(atPath: "\(folder)/first") }

  /// Lets the first search of one that waits end.
  func release() throws { try Data().write(to: URL(fileURLWithPath: "\(folder)/released")) }

  /// What it has.
  func secret(for provider: ProviderID) -> String? {
    try? String(contentsOfFile: "\(folder)/\(provider.rawValue)", encoding: .utf8)
  }

  /// The first arguments of all calls so far.
  var verbs: [String] { lines(of: "verbs") }

  /// Everything it was called with: arguments and environment, one a line.
  var calls: String { (try? String(contentsOfFile: "\(folder)/calls", encoding: .utf8)) ?? "" }

  /// The processes that are to be gone.
  var processes: [Int32] { lines(of: "processes").compactMap { Int32($0) } }

  private func lines(of name: String) -> [String] {
    ((try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
  }

  private static func script(_ manner: Manner, folder: String) -> String {
    """
    #!/bin/sh
    # The system's own commands; nothing else of the environment is touched before it is written down.
    tr '\\0' '\\n' < /proc/$$/cmdline >> '\(folder)/calls'
    tr '\\0' '\\n' < /proc/$$/environ >> '\(folder)/calls'
    echo "$1" >> '\(folder)/verbs'
    for provider in "$@"; do :; done
    secret='\(folder)'/$provider
    \(behaviour(manner, folder: folder))
    """
  }

  private static func behaviour(_ manner: Manner, folder: String) -> String {
    let describe = "printf '[/1]\\nlabel = Atelier: API key\\n'"
    return switch manner {
    case .working:
      """
      case $1 in
      store) cat > "$secret" ;;
      search) [ ! -e "$secret" ] || { \(describe); printf 'secret = %s\\ncreated = now\\n' "$(cat "$secret")"; } ;;
      clear) rm "$secret" ;;
      esac
      """
    case .waiting:
      """
      case $1 in
      search)
        found=$(cat "$secret")
        if mkdir '\(folder)/first'; then while [ ! -e '\(folder)/released' ]; do sleep 0.01; done; fi
        [ -z "$found" ] || { \(describe); printf 'secret = %s\ncreated = now\n' "$found"; } ;;
      clear) rm "$secret" ;;
      esac
      """
    case .locked:
      """
      case $1 in
      search) [ ! -e "$secret" ] || \(describe) ;;
      *) exit 1 ;;
      esac
      """
    case .hanging:
      """
      sleep 100000 &
      echo "$$\n$!" >> '\(folder)/processes'
      wait
      """
    case .lying: "cat > /dev/null"
    case .failing: "cat > /dev/null; cat < '\(folder)/calls' >&2; exit 1"
    case .crashing: "kill -9 $$"
    case .garbage: "printf 'secret = %s\\n\\377\\376no such thing' \(InventedKey.third)"
    case .flooding: "while :; do \(describe); done"
    case .holdingNonsense:
      """
      case $1 in
      search) \(describe); printf 'secret = two words\\n' ;;
      esac
      """
    }
  }
}
