import Foundation
import Glibc
import JSON
import Support
import Testing

extension Faults {
  /// What is told of the worker's confinement, and what a service does where there is too little of it.
  @Suite("Confinement")
  struct ConfinementTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test("the confinement is in status from the first worker on, and in doctor")
    func told() async throws {
      let service = try scene.service()
      let before = try await service.call("status")
      #expect(before["result"]?["confinement"] == nil, "\(before.text)")
      try await scene.expectHeadshot(by: service)
      let confinement = try await service.call("status")["result"]?["confinement"]
      #expect(confinement?["seccomp"] == true, "\(confinement?.text ?? "")")
      #expect(confinement?["dumpable"] == false, "\(confinement?.text ?? "")")
      #expect(try await service.finished() == .exited(0))
      let doctor = try await CommandRun(["doctor", "--data-dir", scene.data], in: scene.folder)
      #expect(doctor.output.contains("✓ confinement: "), "\(doctor.output)")
    }

    @Test("a confinement below the configured minimum fails each picture with one sentence; without a minimum it works")
    func minimum() async throws {
      let launcher = [ServiceExecutable.probePath, "without-landlock"]
      let free = try scene.service(launcher: launcher)
      try await scene.expectHeadshot(by: free)
      #expect(try await free.call("status")["result"]?["confinement"]?["landlockAbi"] == 0)
      #expect(try await free.finished() == .exited(0))

      let configuration = try scene.folder.write(
        "atelier.json", Array(#"{"imaging":{"minimumConfinement":"landlock"}}"#.utf8))
      let strict = try scene.service(["--config", configuration], launcher: launcher)
      for _ in 0..<2 {
        let answer = try await strict.call("image/prepare", ["image": scene.image])
        #expect(answer["error"]?["data"]?["kind"] == "internal", "\(answer.text)")
        let sentence = answer["error"]?["message"]?.string ?? ""
        let hint = answer["error"]?["data"]?["details"]?["hint"]?.string ?? ""
        #expect(hint.contains("imaging.minimumConfinement"), "\(answer.text)")
        for text in [sentence, hint] {
          #expect(Sentence.faults(in: text, secrets: [scene.data]) == [], "\(answer.text)")
        }
      }
      #expect(try await strict.finished() == .exited(0))
    }

    @Test("the minimum of confinement must be named by a known word in the configuration")
    func unknown() async throws {
      let configuration = try scene.folder.write(
        "atelier.json", Array(#"{"imaging":{"minimumConfinement":"all"}}"#.utf8))
      let run = try await CommandRun(["doctor", "--config", configuration, "--data-dir", scene.data], in: scene.folder)
      #expect(run.status == 1)
      #expect((run.output + run.errors).contains("imaging"), "\(run.output) \(run.errors)")
    }

    @Test(
      "the confinement keeps the memory and the environment of the service from its user's other programs",
      .enabled(if: Privilege.canBeDropped, "the build lies where an unprivileged user cannot start it"))
    func hidden() async throws {
      for path in [scene.folder.path, scene.data] { Privilege.hand(path) }
      for (environment, isHidden) in [([], true), (["ATELIER_ALLOW_DEBUGGER=1"], false)] {
        let service = try ServiceChild(dataDirectory: scene.data, launcher: Privilege.launcher, environment: environment)
        _ = try await service.call("ping")
        // The kernel gives the files of a process that hides its memory to root.
        var status = stat()
        #expect(stat("/proc/\(service.processID)/environ", &status) == 0)
        #expect((status.st_uid == 0) == isHidden, "\(environment)")
        #expect(try await service.finished() == .exited(0))
      }
    }
  }
}
