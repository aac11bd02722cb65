import Foundation
import Glibc
import Support

/// `confinement-probe`: a child of it confines itself as the worker does and makes one attempt to escape, then another
/// child the next.
enum ConfinementProbe {
  /// What confines the children.
  enum Layers: String {
    case none = "free"
    case landlock, filter
    case all = "confined"
  }

  enum Outcome: Equatable {
    case escaped
    case refused(Int32)
    /// The filter ended the process; the name of the call, if the line on standard error told it.
    case ended(String?)
    /// The system does not have the layers.
    case unconfined
    case other(String)
  }

  /// Makes every attempt on files of its own.
  /// - Parameter launcher: a command that makes itself the probe.
  /// - Returns: the outcome of each attempt by name.
  static func outcomes(_ layers: Layers, launcher: [String]) throws -> [String: Outcome] {
    let folder = try TemporaryDirectory()
    for name in ["key", "database"] {
      try Data("secret".utf8).write(to: URL(filePath: folder.path(name)))
      if !launcher.isEmpty { Privilege.hand(folder.path(name)) }
    }
    if !launcher.isEmpty { Privilege.hand(folder.path) }
    let (text, _) = try run([layers.rawValue, folder.path], launcher: launcher)
    return Dictionary(
      text.split(separator: "\n").map { line in
        let words = line.split(separator: " ")
        return (String(words[0]), Outcome(words.dropFirst()))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// What the probe prints, and its exit status.
  static func run(_ arguments: [String], launcher: [String] = []) throws -> (text: String, status: Int32) {
    let process = Process()
    let command = launcher + [ServiceExecutable.probePath] + arguments
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = ["GEMINI_API_KEY": "secret"]
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (text, process.terminationStatus)
  }

  /// The version of Landlock that the kernel offers, 0 for none.
  static func offeredLandlock() throws -> Int? {
    Int(try run(["landlock-offered"]).text.split(separator: "\n").first ?? "")
  }
}

extension ConfinementProbe.Outcome {
  fileprivate init(_ words: ArraySlice<Substring>) {
    switch words.first {
    case "escaped": self = .escaped
    case "refused": self = .refused(words.dropFirst().first.flatMap { Int32($0) } ?? -1)
    case "ended": self = .ended(words.dropFirst().first.map(String.init))
    case "unconfined": self = .unconfined
    default: self = .other(words.joined(separator: " "))
    }
  }
}
