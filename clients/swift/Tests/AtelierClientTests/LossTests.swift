import Glibc
import JSON
import POSIX
import Support
import Testing

@testable import AtelierClient

@Suite("A service that ends", .timeLimit(.minutes(2)))
struct LossTests {
  private let scene: ServiceScene

  init() throws { scene = try ServiceScene() }

  @Test("a killed service fails what is in flight, and with restart the next request starts another")
  func restart() async throws {
    let lines = SharedState<[String]>([])
    let studio = try await scene.studio { options in
      options.restart = true
      options.log = { line in lines.change { $0.append(line) } }
      options.arguments = ["--log-level", "debug"]
    }
    var killed: Int32 = 0
    for round in 0..<3 {
      let process = try await studio.processID
      #expect(process != killed)
      killed = process
      // Stopped, it answers nothing.
      kill(process, SIGSTOP)
      let requests = (0..<5).map { _ in Task { try await studio.send(Ping()) } }
      let generation = studio.generate(.headshot)
      let watched = studio.generate(.headshot)
      let ends = studio.notifications(GenerationFinished.self)
      kill(process, SIGKILL)
      for request in requests {
        // One that was not on its way yet was answered by the next service.
        if let error = await failure({ try await request.value }) { #expect(error.clientKind == .connectionLost) }
      }
      for each in [generation, watched] {
        if let error = await failure({ try await each.result }) {
          #expect(error.clientKind == .connectionLost && error.isRetryable, "\(round): \(error)")
          #expect(error.details["signal"] == 9)
        }
      }
      var count = 0
      for await _ in ends { count += 1 }
      #expect(count == 0)
    }
    let processes = try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 0..<20 { group.addTask { try await studio.processID } }
      return try await group.reduce(into: Set<Int32>()) { $0.insert($1) }
    }
    #expect(processes.count == 1)
    #expect(try await studio.generate(.headshot).result.state == .succeeded)
    await studio.close()
    #expect(!lines.value.isEmpty)
    for process in processes { #expect(ServiceProcessTable.entry(of: process) == nil) }
  }

  @Test("a killed service without restart stays lost")
  func withoutRestart() async throws {
    let studio = try await scene.studio()
    kill(try await studio.processID, SIGKILL)
    try await studio.usableConnection().waitUntilLost()
    let error = try #require(await failure { try await studio.send(Ping()) })
    #expect(error.clientKind == .connectionLost && error.message.contains("signal 9"))
    await studio.close()
  }

  @Test("one that waits for a restart may be cancelled, and the others have it nevertheless")
  func cancelledRestart() async throws {
    let studio = try await scene.studio { $0.restart = true }
    kill(try await studio.processID, SIGKILL)
    try await studio.usableConnectionEvenIfLost().waitUntilLost()
    let cancelled = Task { try await studio.send(Ping()) }
    let other = Task { try await studio.send(Ping()) }
    cancelled.cancel()
    _ = try? await cancelled.value
    _ = try await other.value
    await studio.close()
  }

  @Test("a close waits for a restart, and one that cancels ends it")
  func closeDuringRestart() async throws {
    for isCancelling in [false, true] {
      let studio = try await scene.studio { $0.restart = true }
      kill(try await studio.processID, SIGKILL)
      try await studio.usableConnectionEvenIfLost().waitUntilLost()
      let request = Task { try await studio.send(Ping()) }
      await Task.yield()
      await studio.close(cancelling: isCancelling)
      _ = try? await request.value
      #expect(await failure { try await studio.send(Ping()) }?.clientKind == .connectionLost)
    }
  }

  @Test("a service that cannot use its data directory is lost at once, with the reason")
  func unusable() async throws {
    let file = try scene.folder.write("file", [1])
    let error = await failure {
      try await withStudio(scene.options { $0.dataDirectory = file }) { studio in
        _ = try await studio.send(History())
      }
    }
    #expect(error != nil && error?.message.isEmpty == false)
    let options = await failure { try await scene.studio { $0.arguments = ["--no-such-option"] } }
    #expect(options?.clientKind == .connectionLost)
    #expect(options?.message.contains("no-such-option") == true, "\(options?.message ?? "")")
    #expect(options?.details["exitStatus"] != nil && options?.details["log"]?.string?.contains("no-such-option") == true)
  }

  @Test("an executable that is not there is an error of that kind", arguments: [
    Studio.Options.Service.executable("/nonexistent/atelier"), .executable("atelier-that-is-nowhere"), .command([]),
    .executable("/tmp"), .executable("/etc/passwd"),
  ])
  func missing(service: Studio.Options.Service) async throws {
    let error = await failure { try await scene.studio { $0.service = service } }
    #expect(error?.clientKind == .executableNotFound)
  }

  @Test("a program that is no service is given up")
  func otherProgram() async throws {
    let error = await failure { try await scene.studio { $0.service = .command(["/bin/true"]) } }
    #expect(error?.clientKind == .connectionLost)
    let talkative = await failure { try await scene.studio { $0.service = .command(["/bin/echo", "hello"]) } }
    #expect(talkative?.clientKind == .protocolError)
  }

  @Test("a service that ignores the end of its input is terminated")
  func stubborn() async throws {
    let script = "trap '' TERM; \(ServiceExecutable.path) \"$@\"; while :; do read nothing || sleep 1000; done"
    let studio = try await scene.studio { options in
      options.service = .command(["/bin/sh", "-c", script, "sh"])
      options.closeLimit = .milliseconds(1)
      options.terminationLimit = .milliseconds(1)
    }
    let process = try await studio.processID
    await studio.close()
    #expect(ServiceProcessTable.entry(of: process) == nil)
  }

  @Test("a studio that is dropped lets its service end")
  func dropped() async throws {
    var studio: Studio? = try await scene.studio()
    let process = try #require(try await studio?.processID)
    studio = nil
    try await ServiceProcessTable.end(of: process)
  }
}

extension ServiceConnection {
  fileprivate func waitUntilLost() async throws { _ = await lost.value() }
}

extension Studio {
  /// The connection, without a restart of one that was lost.
  fileprivate func usableConnectionEvenIfLost() async throws -> ServiceConnection {
    try #require(await current.present)
  }
}
