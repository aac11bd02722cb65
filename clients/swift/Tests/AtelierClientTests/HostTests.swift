import Foundation
import Glibc
import JSON
import POSIX
import Support
import Testing

@testable import AtelierClient

/// The example program.
@Suite("A host program", .timeLimit(.minutes(2)))
struct HostTests {
  private let scene: ServiceScene
  private let program: String

  init() throws {
    scene = try ServiceScene()
    program = "\(ServiceExecutable.path.dropLast("atelier".count))swift-headshot"
  }

  private func start(_ arguments: [String], service: String = ServiceExecutable.path) throws -> ServiceChild {
    try ServiceChild(
      command: [program] + arguments,
      environment: ["ATELIER=\(service)", "XDG_DATA_HOME=\(scene.folder.path("data"))"])
  }

  @Test("the example makes a headshot and prints its path")
  func headshot() async throws {
    let host = try start([ServiceScene.photo])
    #expect(try await host.finished() == .exited(0))
    let path = try #require(host.output.value.strayLines.first)
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try await host.wholeErrorText().contains("%"))
  }

  @Test("an error is told in a sentence, with a status")
  func failed() async throws {
    let host = try start(["/nonexistent.jpg"])
    #expect(try await host.finished() == .exited(1))
    let lost = try start(["photo.jpg"], service: "/nonexistent/atelier")
    #expect(try await lost.finished() == .exited(1))
    #expect(try await lost.wholeErrorText().contains("There is no executable"))
  }

  @Test("an interrupt cancels the generation, and the program ends by itself")
  func interrupted() async throws {
    let photo = try scene.folder.write("fake", Array(Self.patient.utf8))
    chmod(photo, 0o755)
    let host = try start(["photo.jpg"], service: photo)
    // Its first progress shows that the generation is under way.
    try await host.waitForErrorText { $0.contains("At it") }
    host.signal(SIGINT)
    #expect(try await host.finished() == .exited(0))
    #expect(host.output.value.strayLines == ["Cancelled."])
  }

  @Test("a host that is killed takes its service along, and leaves its signals as they were")
  func killed() async throws {
    let host = try start([ServiceScene.photo])
    var service: ServiceProcessTable.Entry?
    while service == nil { service = ServiceProcessTable.children(of: host.processID).first { $0.name == "atelier" } }
    let process = try #require(service).processID
    // Stopped, it makes no picture.
    kill(process, SIGSTOP)
    let status = try String(contentsOfFile: "/proc/\(host.processID)/status", encoding: .utf8)
    let ignored = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }?.split(separator: "\t").last)
    let mask = try #require(UInt64(ignored, radix: 16))
    #expect(mask & 1 << UInt64(SIGPIPE - 1) == 0)
    // A group of its own.
    #expect(getpgid(process) == process)
    try await host.killed()
    kill(process, SIGCONT)
    try await ServiceProcessTable.end(of: process)
  }

  /// A service that makes its picture for ever, in a few lines of a shell.
  private static let patient = #"""
    #!/bin/sh
    while read -r line; do
      id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
      case $line in
      *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" '\#(Sample.greeting.serializedText)' ;;
      *'"generate"'*) request=$id
        printf '{"jsonrpc":"2.0","method":"generation/progress","params":{"requestId":%s,' "$id"
        printf '"generationId":"gen_1","sequence":1,"state":"running","phase":"processing",'
        printf '"message":"At it","overall":0.5,"elapsedMs":1}}\n' ;;
      *cancelRequest*) printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$request" '\#(
        Sample.generation("gen_1", .cancelled).serializedText)' ;;
      *'"shutdown"'*) printf '{"jsonrpc":"2.0","id":%s,"result":null}\n' "$id" ;;
      esac
    done
    """#
}

/// Services that a host does not start itself.
@Suite("A service at a socket", .timeLimit(.minutes(1)))
struct SocketTests {
  private let scene: ServiceScene

  init() throws { scene = try ServiceScene() }

  @Test("a service is reached at the path of a socket, and again after it was lost")
  func socket() async throws {
    let path = scene.folder.path("socket")
    let listener = try Listener(path: path, dataDirectory: scene.folder.path("data"))
    let studio = try await scene.studio { options in
      options.service = .socket(path)
      options.restart = true
    }
    #expect(try await studio.generate(.headshot).result.state == .succeeded)
    for service in listener.services.value { kill(service, SIGKILL) }
    try await listener.services.wait { !$0.isEmpty }
    // Either the loss is known, or the next request finds it out.
    _ = try? await studio.send(Ping())
    while true {
      if (try? await studio.send(Ping())) != nil { break }
    }
    #expect(listener.services.value.count == 2)
    await studio.close()
    listener.stop()
  }

  @Test("one socket is enough for both directions")
  func descriptors() async throws {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let service = try Listener.start(at: ends[1], dataDirectory: scene.folder.path("data"))
    let number = ends[0]
    try await withStudio(scene.options { $0.service = .descriptors(input: number, output: number) }) { studio in
      _ = try await studio.send(Ping())
    }
    var status: Int32 = 0
    #expect(waitpid(service, &status, 0) == service)
    #expect(status == 0)
  }

  @Test("a service at open descriptors cannot be started again")
  func restart() async throws {
    let error = await failure {
      try await scene.studio { options in
        options.service = .descriptors(input: 0, output: 1)
        options.restart = true
      }
    }
    #expect(error?.clientKind == .invalidUse)
  }
}

/// Starts a service for each connection to a socket, as systemd does.
private final class Listener: Sendable {
  let services = SharedState<[pid_t]>([])
  private let socket: Descriptor

  init(path: String, dataDirectory: String) throws {
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound, listen(number, 8) == 0 else { throw SystemError(code: errno, operation: "listen at \(path)") }
    socket = Descriptor(number)
    try DedicatedThread.start { [services, socket] in
      while case let connection = accept(socket.number, nil, nil), connection >= 0 {
        guard let service = try? Self.start(at: connection, dataDirectory: dataDirectory) else { return }
        services.change { $0.append(service) }
      }
    }
  }

  /// Starts a service with a socket as its standard streams, which is closed here.
  static func start(at connection: Int32, dataDirectory: String) throws -> pid_t {
    let socket = try FileDescriptor(owning: connection).raised()
    let errors = try FileDescriptor(owning: dup(2)).raised()
    return try PosixSpawn.start(
      ServiceExecutable.path, ["serve", "--data-dir", dataDirectory], environment: ["PATH=/usr/bin:/bin"],
      descriptors: [(socket.number, 0), (socket.number, 1), (errors.number, 2)], operation: "start a service")
  }

  func stop() { _ = shutdown(socket.number, Int32(SHUT_RDWR)) }
}
