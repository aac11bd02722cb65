import Foundation
import Glibc
import POSIX

/// What the kernel says of the processes of this machine.
public enum ServiceProcessTable {
  public struct Entry: Sendable, Hashable {
    public var processID: Int32
    public var parent: Int32
    /// As in proc(5): `R`, `S`, `T` for stopped, `Z` for a zombie.
    public var state: Character
    public var name: String
  }

  /// The children of a process, zombies too.
  public static func children(of parent: Int32) -> [Entry] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return numbers.compactMap(Int32.init).compactMap(entry).filter { $0.parent == parent }
  }

  /// - Returns: nil when there is no such process.
  public static func entry(of processID: Int32) -> Entry? {
    guard let text = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8),
      let opening = text.firstIndex(of: "("), let closing = text.lastIndex(of: ")")
    else { return nil }
    // The name comes in parentheses and may hold any character.
    let fields = text[text.index(after: closing)...].split(separator: " ")
    guard fields.count > 1, let state = fields[0].first, let parent = Int32(fields[1]) else { return nil }
    return Entry(
      processID: processID, parent: parent, state: state, name: String(text[text.index(after: opening)..<closing]))
  }

  /// Waits until a process that need not be a child has ended.
  /// - Throws: `SystemError`, `CancellationError`.
  public static func end(of processID: Int32) async throws {
    let hasEnded = SharedState(false)
    guard let watch = try ProcessWatch(processID: processID, died: { hasEnded.change { $0 = true } }) else { return }
    defer { watch.stop() }
    try await hasEnded.wait { $0 }
  }
}
