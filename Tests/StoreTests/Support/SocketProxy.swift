import Glibc
import POSIX
import Support
import Synchronization

/// Stands between stores and the socket of a server, and can cut a connection in the place of an answer, be away, or take
/// everything and say nothing.
final class SocketProxy: Sendable {
  private let temporary: TemporaryDirectory
  private let listener: FileDescriptor
  private let state: State

  private final class State: Sendable {
    let isArmed = Atomic<Bool>(false)
    let cutsQuestion = Atomic<Bool>(false)
    let isDown = Atomic<Bool>(false)
    let isMute = Atomic<Bool>(false)
    let connections = Atomic<Int>(0)
    let isDone = Atomic<Bool>(false)
    let swallowed = Atomic<Int>(0)
    let passed = Atomic<Int>(0)
  }

  private static let name = ".s.PGSQL.5432"

  /// - Parameter target: the folder of the server's socket.
  init(to target: String) throws {
    temporary = try TemporaryDirectory()
    listener = FileDescriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    state = State()
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(temporary.path)/\(Self.name)".utf8) }
    let number = listener.number
    let status = withUnsafePointer(to: &address) { address in
      // The call reads the address during the call only.
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0, listen(number, 16) == 0 else { throw SystemError(code: errno, operation: "listen") }
    let copy = dup(number)
    try DedicatedThread.start { [state] in Self.accept(on: FileDescriptor(owning: copy), to: target, state) }
  }

  deinit {
    state.isDone.store(true, ordering: .releasing)
    shutdown(listener.number, Int32(SHUT_RDWR))
  }

  /// The folder that stands for the server's.
  var folder: String { temporary.path }
  /// How many answers nobody has got.
  var swallowed: Int { state.swallowed.load(ordering: .acquiring) }

  /// How often the server has said something that was passed on.
  var passed: Int { state.passed.load(ordering: .acquiring) }

  /// Lets the next answer of the server, on whatever connection, reach nobody: that connection ends in its place.
  func swallowNextAnswer() { state.isArmed.store(true, ordering: .releasing) }

  /// Lets the next question reach the server, and the connection that it came over end at once.
  func cutAfterNextQuestion() { state.cutsQuestion.store(true, ordering: .releasing) }

  /// While it is down, connections end, and new ones at once.
  func setDown(_ isDown: Bool) { state.isDown.store(isDown, ordering: .releasing) }

  /// While it is mute, connections are let in and nothing is passed on.
  func setMute(_ isMute: Bool) { state.isMute.store(isMute, ordering: .releasing) }

  /// How many connections there were.
  var connections: Int { state.connections.load(ordering: .acquiring) }

  private static func accept(on listener: consuming FileDescriptor, to target: String, _ state: State) {
    while !state.isDone.load(ordering: .acquiring) {
      let number = Glibc.accept(listener.number, nil, nil)
      guard number >= 0 else { return }
      state.connections.add(1, ordering: .acquiringAndReleasing)
      if state.isDown.load(ordering: .acquiring) {
        close(number)
        continue
      }
      do {
        try DedicatedThread.start {
          let client = FileDescriptor(owning: number)
          guard let server = try? UnixSocket.connect(to: "\(target)/\(name)") else { return }
          forward(client, server, state)
        }
      } catch {
        close(number)
      }
    }
  }

  private static func forward(_ client: borrowing FileDescriptor, _ server: borrowing FileDescriptor, _ state: State) {
    while true {
      var ready = [client.number, server.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      // Now and then it is looked whether it should go on.
      guard poll(&ready, 2, 10) >= 0 || errno == EINTR, !state.isDown.load(ordering: .acquiring) else { return }
      if state.isMute.load(ordering: .acquiring) {
        if ready.contains(where: { $0.revents & Int16(POLLHUP) != 0 }) { return }
        usleep(10_000)
        continue
      }
      for (from, to) in [(0, server.number), (1, client.number)] where ready[from].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(ready[from].fd, &bytes, bytes.count)
        guard count > 0 else { return }
        if from == 1, state.isArmed.exchange(false, ordering: .acquiringAndReleasing) {
          state.swallowed.add(1, ordering: .acquiringAndReleasing)
          return
        }
        if from == 1 { state.passed.add(1, ordering: .acquiringAndReleasing) }
        guard (try? FileSystem.write(Array(bytes.prefix(count)), to: to, path: "a socket")) != nil else { return }
        if from == 0, state.cutsQuestion.exchange(false, ordering: .acquiringAndReleasing) { return }
      }
    }
  }
}
