import Foundation

/// Doing without the rights of root, for whom no file is unreadable.
public enum Privilege {
  public static let unprivilegedUser: UInt32 = 65_534

  public static var isRoot: Bool { geteuid() == 0 }

  /// What starts a command as a user who may do nothing special; empty when that is who we are.
  public static let launcher: [String] =
    isRoot
    ? ["/usr/bin/setpriv", "--reuid=\(unprivilegedUser)", "--regid=\(unprivilegedUser)", "--clear-groups", "--"] : []

  /// False where the service cannot be started so: no `setpriv`, or a build in a folder only root may enter.
  public static let canBeDropped: Bool = {
    let process = Process()
    let command = launcher + [ServiceExecutable.path, "--version"]
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// Gives a file or folder to that user.
  public static func hand(_ path: String) {
    if isRoot { chown(path, unprivilegedUser, unprivilegedUser) }
  }
}
