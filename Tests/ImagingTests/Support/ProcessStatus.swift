import Glibc
import POSIX
import Testing

@testable import Imaging

/// What the kernel tells about a process.
struct ProcessStatus {
  private var lines: [Substring]

  private var limits: [Substring]

  init(of process: Int32) throws {
    lines = try Self.lines("status", of: process)
    limits = try Self.lines("limits", of: process)
  }

  private static func lines(_ name: String, of process: Int32) throws -> [Substring] {
    let descriptor = open("/proc/\(process)/\(name)", O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0, "process \(process) is gone")
    let file = FileDescriptor(owning: descriptor)
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = read(file.number, &bytes, bytes.count)
    try #require(count > 0)
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
  }

  /// A resource's limit, and how far the process itself may raise it.
  struct Limit: Equatable {
    var present: Int
    var highest: Int
  }

  /// - Parameter name: as the kernel calls it, such as `Max data size`.
  /// - Returns: nil when the process has no such limit.
  func limit(_ name: String) -> Limit? {
    let values = limits.first { $0.hasPrefix(name) }?.dropFirst(name.count).split(separator: " ") ?? []
    guard values.count >= 2, let present = Int(values[0]) else { return nil }
    return Limit(present: present, highest: Int(values[1]) ?? .max)
  }

  /// The most memory the process ever had resident.
  var peakKilobytes: Int { number("VmHWM:") ?? .max }
  var noNewPrivileges: Bool { number("NoNewPrivs:") == 1 }
  /// 2 when a filter of system calls is in force.
  var seccompMode: Int? { number("Seccomp:") }

  /// The capabilities in force, as bits.
  var effectiveCapabilities: UInt64? {
    lines.first { $0.hasPrefix("CapEff:") }.flatMap { UInt64($0.dropFirst(7).drop { $0.isWhitespace }, radix: 16) }
  }

  private func number(_ name: String) -> Int? {
    lines.first { $0.hasPrefix(name) }.flatMap { line in
      Int(line.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }.prefix { $0.isNumber })
    }
  }

  static func exists(_ process: Int32) -> Bool { kill(process, 0) == 0 }
}
