import Glibc
import JSONRPC
import Testing

@testable import Imaging

/// What the kernel tells about a process.
struct ProcessStatus {
  private var lines: [Substring]

  init(of process: Int32) throws {
    let descriptor = open("/proc/\(process)/status", O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0, "process \(process) is gone")
    let file = FileDescriptor(owning: descriptor)
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = read(file.number, &bytes, bytes.count)
    try #require(count > 0)
    lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
  }

  /// The most memory the process ever had resident.
  var peakKilobytes: Int { number("VmHWM:") ?? .max }
  var noNewPrivileges: Bool { number("NoNewPrivs:") == 1 }
  /// 2 when a filter of system calls is in force.
  var seccompMode: Int? { number("Seccomp:") }

  private func number(_ name: String) -> Int? {
    lines.first { $0.hasPrefix(name) }.flatMap { line in
      Int(line.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }.prefix { $0.isNumber })
    }
  }

  static func exists(_ process: Int32) -> Bool { kill(process, 0) == 0 }
}
