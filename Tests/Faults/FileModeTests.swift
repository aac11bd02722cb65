import Glibc
import Support
import Testing

extension Faults {
  /// Whoever starts the service brings a umask: one that takes nothing, or one that takes rights from the owner.
  @Suite(
    "Rights to files under any umask",
    .enabled(if: Privilege.canBeDropped, "the build lies where an unprivileged user cannot start it"))
  struct FileModeTests {
    private let scene: Scene
    private let home: String
    private var data: String { "\(home)/new/data" }
    private let key = "an-invented-key-mode-7777"

    init() throws {
      scene = try Scene()
      home = try scene.folder.makeFolder("home")
      for path in [scene.folder.path, home, scene.output, scene.folder.path("face.jpg")] { Privilege.hand(path) }
    }

    @Test(
      "everything of ours is its owner's alone, and its owner can use it",
      arguments: [0o000, 0o022, 0o177, 0o777] as [mode_t])
    func modes(mask: mode_t) async throws {
      let launcher = Privilege.launcher + ["/bin/sh", "-c", "umask \(String(mask, radix: 8)); exec \"$0\" \"$@\""]
      let exports = try scene.folder.makeFolder("exports")
      Privilege.hand(exports)
      let trace = "\(home)/trace"
      let service = try ServiceChild(dataDirectory: data, ["--trace", trace], launcher: launcher)
      let made = try await service.call(
        "generate", scene.headshot(["output": ["directory": .string(scene.output)]]))
      #expect(made["result"]?["state"] == "succeeded", "\(made.text) \(service.errorText)")
      let set = try await service.call("credentials/set", ["provider": "gemini", "key": .string(key)])
      #expect(set["result"]?["source"] == "file", "\(set.text)")
      let exported = try await service.call("history/export", ["directory": .string(exports)])
      #expect(exported["result"]?["entries"] == 1, "\(exported.text)")
      // While it runs: its lock and the database's log are there.
      expectOwnersOnly(below: home)
      #expect(scene.folder.files(below: "home").contains("new/data/atelier.sqlite-wal"))
      #expect(scene.folder.files(below: "home").contains { $0.hasPrefix("new/data/processes/") })
      expectOwnersOnly(below: scene.output)
      expectOwnersOnly(below: exports)
      #expect(try await service.finished() == .exited(0), "\(service.errorText)")

      let backup = "\(home)/backup.sqlite"
      try await run(launcher, ["backup", backup, "--data-dir", data])
      // Another process finds everything usable.
      try await run(launcher, ["history", "--data-dir", data])
      expectOwnersOnly(below: home)
      #expect(!scene.folder.files(below: "output").isEmpty && !scene.folder.files(below: "exports").isEmpty)

      // The file a person names is made as every program makes one, but for the owner's rights.
      let picture = "\(home)/picture.jpg"
      try await run(
        launcher,
        ["generate", scene.folder.path("face.jpg"), "-o", picture, "--provider", "ondevice", "--data-dir", data])
      #expect(mode(of: picture) == 0o666 & ~mask | 0o600)
    }

    private func run(_ launcher: [String], _ arguments: [String]) async throws {
      let command = try ServiceChild(command: launcher + [ServiceExecutable.path] + arguments)
      #expect(try await command.ended() == .exited(0), "\(arguments): \(command.errorText)")
    }

    private func expectOwnersOnly(below folder: String) {
      let name = String(folder.dropFirst(scene.folder.path.count + 1))
      let files = scene.folder.files(below: name)
      #expect(!files.isEmpty, "\(name)")
      for file in files { #expect(mode(of: "\(folder)/\(file)") == 0o600, "\(file)") }
      // Every folder made on the way to a file.
      let folders = Set(
        files.flatMap { file in
          let parts = file.split(separator: "/").dropLast()
          return parts.indices.map { parts[...$0].joined(separator: "/") }
        })
      for part in folders { #expect(mode(of: "\(folder)/\(part)") == 0o700, "\(part)") }
    }

    private func mode(of path: String) -> mode_t? {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }
  }
}
