import Foundation

/// A program made for a test.
///
/// It is put in place by another process. A program that another test starts inherits for a moment what this process
/// has open, and a file that is open for writing cannot be run ("text file busy").
public enum ProgramFile {
  /// Puts a program of this text at `path`.
  public static func write(_ text: String, at path: String) throws {
    let draft = path + ".draft"
    try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
    defer { try? FileManager.default.removeItem(atPath: draft) }
    try copy(draft, to: path)
  }

  /// Puts a copy of the program `source` at `path`, in the place of what is there.
  public static func copy(_ source: String, to path: String) throws {
    let install = Process()
    install.executableURL = URL(fileURLWithPath: "/usr/bin/install")
    install.arguments = ["-m", "755", source, path]
    try install.run()
    install.waitUntilExit()
    guard install.terminationStatus == 0 else { throw POSIXError(.EIO) }
  }
}
