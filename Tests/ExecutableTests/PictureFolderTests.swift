import Foundation
import Glibc
import JSON
import ServiceFixture
import Support
import Testing

@Suite("Pictures of a folder of photos", .serialized, .timeLimit(.minutes(3)))
struct PictureFolderTests {
  private let directory: TemporaryDirectory
  private let photos: String
  private var out: String { directory.path("out") }
  private let photo = Fixture.path("portraits/astronaut.png")
  private let other = Fixture.path("portraits/grace_hopper.jpg")

  init() throws {
    directory = try TemporaryDirectory()
    photos = try directory.makeFolder("photos")
  }

  private func add(_ photo: String, as name: String) throws {
    try FileManager.default.copyItem(atPath: photo, toPath: "\(photos)/\(name)")
  }

  private func generate(_ arguments: String...) async throws -> Executable.Outcome {
    try await Executable.run(["generate", photos, "--directory", out, "--data-dir", directory.path("data")] + arguments)
  }

  private func pictures() -> [String] { directory.files(below: "out") }

  @Test("a folder gives pictures of its photos, and names the files that are none")
  func contents() async throws {
    try add(photo, as: "anna.PNG")
    try add(other, as: "without-extension")
    try add(photo, as: ".hidden.png")
    for name in ["a.txt", "b.pdf", "notes"] { try directory.write("photos/\(name)", [1, 2, 3]) }
    try directory.makeFolder("photos/deeper")
    try add(photo, as: "deeper/ben.png")
    let outcome = try await generate()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(pictures() == ["anna-headshot.jpg", "without-extension-headshot.jpg"])
    #expect(Set(outcome.lines) == Set(pictures().map { "\(out)/\($0)" }))
    #expect(outcome.errors.contains("atelier: 3 files are no pictures: a.txt, b.pdf, notes.\n"), "\(outcome.errors)")
    #expect(outcome.errors.contains("atelier: 1 folder was left out: deeper. --recursive goes through them.\n"))
    #expect(outcome.errors.hasSuffix("atelier: 2 of 2 made.\n"))
  }

  @Test("a folder in a folder is gone through if that is asked for, but not the one for the pictures")
  func recursive() async throws {
    try directory.makeFolder("photos/a/b")
    for name in ["anna.png", "a/anna.png", "a/b/ben.png"] { try add(photo, as: name) }
    let inside = "\(photos)/out"
    for expected in [3, 3] {
      let outcome = try await Executable.run([
        "generate", "\(photos)/", "--recursive", "--directory", inside, "--data-dir", directory.path("data"),
      ])
      #expect(outcome.status == 0 && outcome.lines.count == expected, "\(outcome.errors)")
      #expect(
        directory.files(below: "photos/out") == ["a/anna-headshot.jpg", "a/b/ben-headshot.jpg", "anna-headshot.jpg"])
    }
    let same = try await Executable.run([
      "generate", photos, "--directory", photos, "--data-dir", directory.path("data"),
    ])
    #expect(same.status == 2 && same.errors.contains("name another folder for the pictures"), "\(same.errors)")
  }

  @Test("a folder leaves out with --skip-existing what has its picture, and makes the rest")
  func skipping() async throws {
    try add(photo, as: "anna.png")
    #expect(try await generate("--skip-existing").status == 0)
    try add(other, as: "anna.jpg")
    try add(other, as: "ben.jpg")
    let outcome = try await generate("--skip-existing")
    #expect(outcome.status == 0, "\(outcome.errors)")
    // Two photos of one name have two pictures; the one that is there is not written once more.
    #expect(outcome.lines.count == 3, "\(outcome.errors)")
    #expect(pictures() == ["anna-headshot-2.jpg", "anna-headshot.jpg", "ben-headshot.jpg"])
    let again = try await generate("--skip-existing")
    #expect(again.status == 0 && again.lines.isEmpty, "\(again.output)\(again.errors)")
    #expect(again.errors.contains("3 left out: their pictures are there."), "\(again.errors)")
  }

  @Test("a folder without photos is told, and ends with 1")
  func empty() async throws {
    let outcome = try await generate()
    #expect(outcome.status == 1 && outcome.errors.hasSuffix("atelier: There are no photos there.\n"), "\(outcome.errors)")
  }

  @Test("a folder without one for the pictures is wrong usage")
  func usage() async throws {
    try add(photo, as: "anna.png")
    for arguments in [[], ["-o", directory.path("a.jpg")], ["--no-output"]] {
      let outcome = try await Executable.run(["generate", photos, "--data-dir", directory.path("data")] + arguments)
      #expect(outcome.status == 2 && outcome.errors.contains("--directory"), "\(outcome.errors)")
    }
  }

  @Test("a folder that is watched gives a picture of each photo that comes, until Ctrl-C", arguments: [SIGINT, SIGTERM])
  func watch(signal: Int32) async throws {
    try add(photo, as: "anna.png")
    let child = try ServiceChild(
      command: [Executable.path, "generate", photos, "--directory", out, "--watch"],
      environment: ["ATELIER_DATA_DIR=\(directory.path("data"))"])
    // The path comes while the command goes on.
    try await wait(for: child, toPrint: "anna-headshot.jpg")
    // A file that grows is waited for: the beginning of a photo is none.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: other))
    let file = try #require(fopen("\(photos)/ben.jpg", "w"))
    for part in stride(from: 0, to: bytes.count, by: 100_000) {
      let piece = Array(bytes[part..<min(bytes.count, part + 100_000)])
      fwrite(piece, 1, piece.count, file)
      fflush(file)
    }
    fclose(file)
    try await wait(for: child, toPrint: "ben-headshot.jpg")
    child.signal(signal)
    #expect(try await child.ended() == .exited(128 + signal), "\(child.errorText)")
    let errors = try await child.wholeErrorText()
    #expect(errors.hasSuffix("atelier: 2 of 2 made.\n"), "\(errors)")
    #expect(pictures() == ["anna-headshot.jpg", "ben-headshot.jpg"])
  }

  private func wait(for child: ServiceChild, toPrint name: String) async throws {
    let output = try await child.output.wait { $0.isAtEnd || $0.strayLines.contains { $0.hasSuffix(name) } }
    try #require(!output.isAtEnd, "\(child.errorText)")
  }
}
