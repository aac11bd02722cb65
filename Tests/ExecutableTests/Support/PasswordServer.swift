import Glibc
import POSIX
import Synchronization

/// What speaks of PostgreSQL's protocol only the question for the password: it keeps what it is told, and hangs up.
final class PasswordServer: Sendable {
  private final class Told: Sendable {
    let passwords = Mutex<[String]>([])
  }

  private let listener: FileDescriptor
  private let told = Told()
  let port: UInt16

  init() throws {
    listener = FileDescriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    let number = listener.number
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      // The calls use the address during the calls only.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(number, address, length) == 0 && listen(number, 16) == 0 ? getsockname(number, address, &length) : -1
      }
    }
    guard status == 0 else { throw SystemError(code: errno, operation: "listen") }
    port = UInt16(bigEndian: address.sin_port)
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    try DedicatedThread.start { [told] in Self.serve(on: FileDescriptor(owning: copy), told) }
  }

  deinit { shutdown(listener.number, Int32(SHUT_RDWR)) }

  /// All passwords so far.
  var passwords: [String] { told.passwords.withLock { $0 } }

  private static func serve(on listener: consuming FileDescriptor, _ told: Told) {
    while true {
      let number = accept(listener.number, nil, nil)
      guard number >= 0 else { return }
      let client = FileDescriptor(owning: number)
      let question: [UInt8] = [UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 3]
      guard let greeting = try? BlockingIO.read(4, from: client.number), let length = length(greeting),
        (try? BlockingIO.read(length - 4, from: client.number)) != nil,
        (try? BlockingIO.write(question, to: client.number)) != nil,
        let head = try? BlockingIO.read(5, from: client.number), let length = Self.length(head.dropFirst()),
        let password = try? BlockingIO.read(length - 4, from: client.number)
      else { continue }
      told.passwords.withLock { $0.append(String(decoding: password.dropLast(), as: UTF8.self)) }
    }
  }

  /// Of a message, by the four bytes that begin it.
  private static func length(_ bytes: some Collection<UInt8>) -> Int? {
    let length = bytes.reduce(0) { $0 << 8 | Int($1) }
    return (4...10_000).contains(length) ? length : nil
  }
}
