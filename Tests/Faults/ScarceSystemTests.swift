import Foundation
import GeminiSimulator
import Glibc
import JSON
import Support
import Testing

extension Faults {
  @Suite("A system that allows little", .serialized, .timeLimit(.minutes(5)))
  struct ScarceSystemTests {
    /// Nobody else is this user, so only the service and its worker count.
    private static let user = 64_987
    /// Enough for a service that has two processors, and for its worker; each more takes a thread.
    private static let few = 23 + max(2, ProcessInfo.processInfo.activeProcessorCount)
    private let folder: TemporaryDirectory

    init() throws {
      folder = try TemporaryDirectory()
      chmod(folder.path, 0o755)
      let data = try folder.makeFolder("data")
      chown(data, uid_t(Self.user), gid_t(Self.user))
    }

    /// What starts a command as that user, with at most so many processes and threads.
    private func launcher(threads: Int) -> [String] {
      [
        "/usr/bin/setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups", "--", "/usr/bin/prlimit",
        "--nproc=\(threads)", "--",
      ]
    }

    static let canBeLimited = Privilege.isRoot && Privilege.canBeDropped && access("/usr/bin/prlimit", X_OK) == 0

    @Test("of few threads has 200 requests carried out or refused, answers meanwhile, and ends when asked to",
      .enabled(if: canBeLimited, "only root can become a user with a limit of its own"))
    func fewThreads() async throws {
      let simulator = try await GeminiSimulator.start(SimulatorOptions())
      let service = try ServiceChild(
        dataDirectory: folder.path("data"), launcher: launcher(threads: Self.few),
        environment: [
          "GEMINI_API_KEY=an-invented-key-0123456789", "GOOGLE_GEMINI_BASE_URL=\(simulator.baseURL)", "no_proxy=127.0.0.1",
        ])
      let asked = (0..<200).map { number in
        service.ask(
          "generate",
          ["recipe": "create", "prompt": .string("a lighthouse \(number)"), "provider": "gemini", "progress": false])
      }
      #expect(try await service.call("ping")["result"] == [:])
      #expect(try await service.call("status")["result"]?["store"]?["healthy"] == true)
      var made = 0
      for request in asked {
        let answer = try await service.answer(to: request)
        if answer["result"]?["state"] == "succeeded" { made += 1 } else {
          #expect(answer["error"]?["message"]?.string?.isEmpty == false, "\(answer.text)")
        }
      }
      #expect(made == 200)
      service.signal(SIGTERM)
      #expect(try await service.ended() == .exited(0))
    }

    @Test("of few threads lets a service end that is in the middle of much work",
      .enabled(if: canBeLimited, "only root can become a user with a limit of its own"))
    func leaving() async throws {
      let simulator = try await GeminiSimulator.start(SimulatorOptions())
      let service = try ServiceChild(
        dataDirectory: folder.path("data"), launcher: launcher(threads: Self.few),
        environment: [
          "GEMINI_API_KEY=an-invented-key-0123456789", "GOOGLE_GEMINI_BASE_URL=\(simulator.baseURL)", "no_proxy=127.0.0.1",
        ])
      for number in 0..<200 {
        service.ask(
          "generate",
          ["recipe": "create", "prompt": .string("a \(number) [[fault:stall-before-head]]"), "provider": "gemini"])
      }
      while simulator.requests.isEmpty { await Task.yield() }
      service.signal(SIGTERM)
      #expect(try await service.ended() == .exited(0))
    }

    @Test("of fewer threads than a service needs has it refused with a sentence", arguments: [1, 2],
      [[], ["mcp"], ["history"], ["--version"]])
    func tooFewThreads(threads: Int, arguments: [String]) async throws {
      guard Self.canBeLimited else { return }
      let service = try ServiceChild(
        dataDirectory: folder.path("data"), arguments, launcher: launcher(threads: threads))
      #expect(try await service.ended() == .exited(1))
      #expect(
        service.errorText.contains("more threads, and Atelier needs") && service.errorText.contains("ulimit -u"),
        "\(service.errorText)")
    }

    @Test("of address space ends a service with a sentence, or serves", arguments: [
      60_000, 110_000, 160_000, 300_000, 2_000_000,
    ])
    func addressSpace(kilobytes: Int) async throws {
      let service = try ServiceChild(
        dataDirectory: folder.path("own"),
        launcher: ["/bin/sh", "-c", "ulimit -v \(kilobytes); exec \"$@\"", "sh"])
      let request = service.ask("status")
      service.closeInput()
      let end = try await service.ended()
      if end == .exited(0) {
        #expect(try await service.answer(to: request)["result"]?["store"]?["healthy"] == true)
      } else {
        // 127 is the loader's, which has a sentence of its own.
        #expect(end == .exited(1) || end == .exited(127), "\(service.errorText)")
        #expect(service.errorText.contains("ulimit -v") || end == .exited(127), "\(service.errorText)")
        #expect(!service.errorText.isEmpty)
      }
    }
  }
}
