import Glibc
import Synchronization
import SystemCalls

/// What of a folder this process makes durable, in order: the path of every file and folder in it, and of itself, that
/// is synced while this value lives, as it is named at that moment.
///
/// It counts the system calls themselves, whoever makes them: those of SQLite as well.
public final class SyncRecord: Sendable {
  private struct Watch: Sendable {
    var folder: String
    var paths: [String] = []
  }

  private struct Watches: Sendable {
    var all: [Int: Watch] = [:]
    var lastNumber = 0
  }

  private static let watches = Mutex(Watches())
  private static let observing: Void = system_calls_observe_syncs { SyncRecord.note($0) }

  private let number: Int

  public init(below folder: String) {
    Self.observing
    number = Self.watches.withLock { watches in
      watches.lastNumber += 1
      watches.all[watches.lastNumber] = Watch(folder: folder)
      return watches.lastNumber
    }
  }

  deinit { Self.watches.withLock { _ = $0.all.removeValue(forKey: number) } }

  /// From the folder on; the folder itself is the empty path.
  public var paths: [String] { Self.watches.withLock { $0.all[number]?.paths ?? [] } }

  /// Forgets what was noted so far.
  public func clear() { Self.watches.withLock { $0.all[number]?.paths = [] } }

  private static func note(_ descriptor: Int32) {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = max(0, readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count))
    let path = String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    watches.withLock { watches in
      for (number, watch) in watches.all where path == watch.folder || path.hasPrefix("\(watch.folder)/") {
        watches.all[number]?.paths.append(String(path.dropFirst(watch.folder.count + 1)))
      }
    }
  }
}
