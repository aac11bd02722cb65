import Foundation
import Glibc
import JSON
import Support
import ServiceFixture
import Testing

@testable import atelier

@Suite("The files of a command that makes pictures", .serialized, .timeLimit(.minutes(2)))
struct PictureCommandTests {
  private let directory: TemporaryDirectory
  private var data: String { "\(directory.path)/data" }
  private let photo = Fixture.path("portraits/astronaut.png")

  init() throws { directory = try TemporaryDirectory() }

  private func generate(_ arguments: String...) async throws -> Executable.Outcome {
    try await Executable.run(["generate", "--data-dir", data] + arguments)
  }

  /// Runs a command line of the shell, with the executable as `$0`.
  private func shell(_ line: String, _ arguments: String...) async throws -> Executable.Outcome {
    try await Executable.run(["-c", line, Executable.path] + arguments, program: "/bin/sh")
  }

  private func isJPEG(_ path: String) throws -> Bool {
    try Data(contentsOf: URL(fileURLWithPath: path)).starts(with: [0xFF, 0xD8, 0xFF])
  }

  private func sentence(_ outcome: Executable.Outcome) -> String {
    outcome.errors.split(separator: "\n").last.map(String.init) ?? ""
  }

  @Test("the files of a picture command are checked before anything is made", arguments: [
    ("nowhere/me.jpg", "does not exist"), ("dangling.jpg", "is a symbolic link to a file that does not exist"),
    ("me.heic", "asks for HEIC, but the picture is to be JPEG, PNG, WebP"), ("folder", "is a folder"),
    ("file/me.jpg", "cannot be written"), ("photo.jpg", "is the photo itself"), ("link.jpg", "is the photo itself"),
    ("me.avif", "Name a file that ends in .jpg, .png, .webp."),
  ])
  func checked(output: String, reason: String) async throws {
    _ = try directory.makeFolder("folder")
    _ = try directory.write("file", [1])
    let copy = "\(directory.path)/photo.jpg"
    try FileManager.default.copyItem(atPath: photo, toPath: copy)
    try FileManager.default.createSymbolicLink(atPath: "\(directory.path)/link.jpg", withDestinationPath: copy)
    try FileManager.default.createSymbolicLink(atPath: "\(directory.path)/dangling.jpg", withDestinationPath: "nothing.jpg")
    let outcome = try await generate(copy, "-o", "\(directory.path)/\(output)")
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(sentence(outcome).contains(reason), "\(outcome.errors)")
    #expect(!outcome.errors.contains("Reading your photo"))
    #expect(directory.files(below: "data/artifacts").isEmpty)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
    #expect(bytes == (try Data(contentsOf: URL(fileURLWithPath: photo))))
  }

  @Test("the files of a picture command are checked with their mattes, which are files too", arguments: [
    ("photo.png", "is the photo itself"), ("other.png", "is a folder"),
  ])
  func checkedMattes(output: String, reason: String) async throws {
    let copy = "\(directory.path)/photo-matte.png"
    try FileManager.default.copyItem(atPath: photo, toPath: copy)
    _ = try directory.makeFolder("other-matte.png")
    let outcome = try await generate(copy, "--matte", "-o", "\(directory.path)/\(output)")
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(sentence(outcome).contains(reason), "\(outcome.errors)")
    #expect(directory.files(below: "data/artifacts").isEmpty)
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data(contentsOf: URL(fileURLWithPath: photo)))
  }

  @Test("the picture's file has the format that its name asks for", arguments: [
    ("me.png", [], [0x89, 0x50, 0x4E, 0x47]), ("me.webp", ["--quality", "60"], [0x52, 0x49, 0x46, 0x46]),
    ("me.jpg", ["--background", "#1E90ff"], [0xFF, 0xD8, 0xFF]),
    ("cut.png", ["--background", "transparent"], [0x89, 0x50, 0x4E, 0x47]),
  ] as [(String, [String], [UInt8])])
  func formats(name: String, options: [String], beginning: [UInt8]) async throws {
    let path = "\(directory.path)/\(name)"
    let outcome = try await Executable.run(["generate", "--data-dir", data, photo, "-o", path] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).starts(with: beginning))
  }

  @Test("files are refused in a format that does not go with the rest", arguments: [
    (["-o", "me.jpg", "--background", "transparent"], "A JPEG has no transparent parts"),
    (["-o", "me.png", "--format", "webp"], "asks for PNG, but the picture is to be WebP"),
    (["--format", "png", "--quality", "80"], "has no quality"), (["--background", "#12"], "--background"),
    (["--quality", "0"], "quality"), (["--format", "gif"], "--format"),
  ] as [([String], String)])
  func otherFormats(options: [String], reason: String) async throws {
    let placed = options.map { $0.hasPrefix("me.") ? "\(directory.path)/\($0)" : $0 }
    let outcome = try await Executable.run(["generate", "--data-dir", data, photo] + placed)
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    #expect(directory.files(below: "data/artifacts").isEmpty)
  }

  @Test("a new file needs a folder in which files can be made, whatever its permissions say")
  func proc() async throws {
    let outcome = try await generate(photo, "-o", "/proc/me.jpg")
    #expect(outcome.status == 1)
    #expect(sentence(outcome).contains("/proc"))
    #expect(directory.files(below: "data/artifacts").isEmpty)
  }

  @Test("new files have short enough names, however long the photo's name is")
  func longName() async throws {
    let folder = try directory.makeFolder("pictures")
    let long = "\(directory.path)/\(String(repeating: "é", count: 125)).png"
    try FileManager.default.copyItem(atPath: photo, toPath: long)
    let outcome = try await generate(long, "--directory", folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines == ["\(folder)/\(String(repeating: "é", count: 100))-headshot.jpg"])
  }

  @Test("an output file must not be a device, which stays what it is")
  func device() async throws {
    let outcome = try await generate(photo, "-o", "/dev/null")
    #expect(outcome.status == 1)
    #expect(sentence(outcome).contains("/dev/null is not a regular file."))
    #expect(
      try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType == .typeCharacterSpecial)
  }

  @Test("new files need a folder that can be written to")
  func folder() async throws {
    let outcome = try await generate(photo, "--directory", "\(directory.path)/no/where")
    #expect(outcome.status == 1)
    #expect(sentence(outcome).contains("does not exist"))
    #expect(directory.files(below: "data/artifacts").isEmpty)
  }

  @Test("the files are standard input and output where - stands")
  func dash() async throws {
    let target = "\(directory.path)/out.jpg"
    let outcome = try await shell("\"$0\" generate - -o - --data-dir \"$1\" < \"$2\" > \"$3\"", data, photo, target)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try isJPEG(target))
    let history = try await Executable.run(["history", "--json", "--data-dir", data])
    let kept = try JSONValue(parsing: Array(history.output.utf8))["entries"]?[0]?["images"]?[0]
    #expect(kept?["bytes"]?.number?.integer(as: Int.self) == (try Data(contentsOf: URL(fileURLWithPath: target)).count))
  }

  @Test("a photo from standard input is refused where there is none, or too much", arguments: [
    ("\"$0\" generate - --data-dir \"$1\" < /dev/null", "Standard input is empty"),
    ("\"$0\" generate - --data-dir \"$1\" <&-", "Standard input is empty"),
    ("head -c 40000001 /dev/zero | \"$0\" generate - --data-dir \"$1\"", "has more than 40000000 bytes"),
    ("head -c 1000 /dev/zero | \"$0\" generate - --data-dir \"$1\"", "This is not a picture Atelier knows."),
  ])
  func badInput(line: String, reason: String) async throws {
    let outcome = try await shell(line, data)
    #expect(outcome.status == 1)
    #expect(sentence(outcome).contains(reason), "\(outcome.errors)")
  }

  @Test("pictures are made of 48 megapixels, from a file and from standard input; of a private one nothing stays")
  func largePhoto() async throws {
    let photo = "\(directory.path)/big.jpg"
    let drawn = try await Executable.run([photo], program: "\(Fixture.project)/scripts/large-photo.sh")
    try #require(drawn.status == 0, "\(drawn.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: photo)).count > 7_000_000)
    let made = try await generate(photo, "--private", "-o", "\(directory.path)/file.jpg")
    #expect(made.status == 0, "\(made.errors)")
    #expect(directory.files(below: "data/artifacts").isEmpty && directory.files(below: "data/temporary").isEmpty)
    let piped = try await shell(
      "\"$0\" generate - -o \"$3\" --data-dir \"$1\" < \"$2\"", data, photo, "\(directory.path)/pipe.jpg")
    #expect(piped.status == 0, "\(piped.errors)")
    let (first, second) = (URL(fileURLWithPath: "\(directory.path)/file.jpg"), URL(
      fileURLWithPath: "\(directory.path)/pipe.jpg"))
    #expect(try Data(contentsOf: first) == Data(contentsOf: second))
    let prepared = try await Executable.run(["prepare", photo, "--longest-side", "4096", "--json", "--data-dir", data])
    #expect(try JSONValue(parsing: Array(prepared.output.utf8))["width"]?.number?.integer(as: Int.self) == 4096)
    let wrong = try await Executable.run(["prepare", photo, "--longest-side", "8000", "--data-dir", data])
    #expect(wrong.status == 2 && wrong.errors.contains("--longest-side must be an integer from 256 to 4096"))
  }

  @Test("no picture is made of what even a preparation refuses", arguments: [
    (Fixture.path("images/too-large.png"), "60 megapixels"), ("heavy", "at most 40 MB"),
  ])
  func hostilePhoto(photo: String, reason: String) async throws {
    let heavy = try directory.write("heavy", [UInt8](repeating: 0, count: 40_000_001))
    let outcome = try await generate(photo == "heavy" ? heavy : photo)
    #expect(outcome.status == 1)
    #expect(sentence(outcome).contains(reason), "\(outcome.errors)")
    #expect(!outcome.errors.contains("image/prepare"))
  }

  @Test("a picture that nobody reads is kept, and the sentence says where", arguments: [
    // The reader leaves at once, or standard output was never open.
    "{ \"$0\" generate \"$2\" -o - --data-dir \"$1\"; echo $? > \"$1/status\"; } | true",
    "\"$0\" generate \"$2\" -o - --data-dir \"$1\" >&-; echo $? > \"$1/status\"",
  ])
  func unread(line: String) async throws {
    let outcome = try await shell(line, data, photo)
    #expect(try String(contentsOfFile: "\(data)/status", encoding: .utf8) == "1\n")
    let path = try #require(outcome.errors.firstMatch(of: /The picture is made and kept: (\S+\.jpg)\n/)?.output.1)
    #expect(try isJPEG(String(path)))
  }

  @Test("the pictures of several photos are named after them; what fails does not stop the rest")
  func several() async throws {
    let folder = try directory.makeFolder("pictures")
    _ = try directory.makeFolder("other")
    let (first, second) = ("\(directory.path)/anna.png", "\(directory.path)/other/anna.jpg")
    try FileManager.default.copyItem(atPath: photo, toPath: first)
    try FileManager.default.copyItem(atPath: Fixture.path("portraits/grace_hopper.jpg"), toPath: second)
    let outcome = try await generate(first, "/nowhere/ben.jpg", second, "--directory", folder)
    #expect(outcome.status == 1)
    #expect(Set(outcome.lines) == ["\(folder)/anna-headshot.jpg", "\(folder)/anna-headshot-2.jpg"])
    let pictures = try outcome.lines.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(pictures[0] != pictures[1])
    #expect(outcome.errors.contains("3/3 "))
    #expect(outcome.errors.contains("atelier: /nowhere/ben.jpg: There is no file at"))
    #expect(sentence(outcome) == "atelier: 2 of 3 made, 1 failed.")
    // Again: what is there with the same bytes is not written once more.
    let again = try await generate(first, second, "--directory", folder)
    #expect(again.status == 0)
    #expect(Set(again.lines) == Set(outcome.lines))
    #expect(sentence(again) == "atelier: 2 of 2 made.")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    // Otherwise nothing is replaced. White is what neither photo gets by itself.
    let others = try await generate(first, second, "--background", "white", "--directory", folder)
    #expect(Set(others.lines) == ["\(folder)/anna-headshot-3.jpg", "\(folder)/anna-headshot-4.jpg"])
  }

  @Test("a photo for a passport tells whether it meets the rules that are measured, and which ones are not")
  func passport() async throws {
    let outcome = try await generate(photo, "--passport", "--no-output", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let kinds = try JSONValue(parsing: Array(outcome.output.utf8))["warnings"]?.array?.compactMap { $0["kind"]?.string }
    let isMet = kinds?.contains("passport_rule") == false
    let sentence = "atelier: For a passport: \(isMet ? "every rule that is measured is met. " : "")Not measured are glasses"
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
  }

  @Test("several photos that fail alike have one reason, told with the first and with all at the end")
  func reasons() async throws {
    let photos = (1...5).map { "\(directory.path)/\($0).png" }
    for path in photos { try FileManager.default.copyItem(atPath: photo, toPath: path) }
    let outcome = try await Executable.run(["edit", "--prompt", "red", "--data-dir", data] + photos)
    #expect(outcome.status == 1)
    let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("atelier: ") }
    #expect(lines.first?.hasSuffix(".png: Gemini needs an API key: set one, or choose another provider. Run `atelier "
      + "credentials set gemini`, or set GEMINI_API_KEY.") == true, "\(lines)")
    let names = photos[..<3].joined(separator: ", ")
    #expect(lines.dropFirst().first?.hasPrefix("atelier: \(names) and 2 more: Gemini needs an API key") == true)
    #expect(lines.count == 3)
    #expect(lines.last == "atelier: 0 of 5 made, 5 failed.")
  }

  @Test("several photos are told as JSON, a line for each in their order")
  func json() async throws {
    let folder = try directory.makeFolder("pictures")
    let broken = Fixture.path("images/other.gif")
    let outcome = try await generate(photo, "/nowhere/ben.jpg", broken, "--directory", folder, "--json")
    #expect(outcome.status == 1)
    let objects = try outcome.lines.map { try JSONValue(parsing: Array($0.utf8)) }
    try #require(objects.count == 3)
    #expect(objects[0]["state"] == "succeeded")
    #expect(objects[0]["images"]?[0]?["path"]?.string == "\(folder)/astronaut-headshot.jpg")
    #expect(objects[0]["images"]?[0]?["storedPath"]?.string?.hasPrefix(data) == true)
    #expect(objects[0]["images"]?[0]?["data"] == nil)
    #expect(objects[1]["error"]?["data"]?["kind"] == "invalid_image")
    #expect(objects[1]["generationId"] == nil)
    #expect(objects[2]["state"] == "failed")
    #expect(objects[2]["error"]?["data"]?["kind"] == "unsupported_image")
  }

  @Test("the file of a picture lies beside the photo unless another place is named, and never replaces one")
  func beside() async throws {
    let copy = directory.path("anna.png")
    try FileManager.default.copyItem(atPath: photo, toPath: copy)
    let taken = try directory.write("anna-headshot.jpg", [1, 2, 3])
    let outcome = try await generate(copy)
    #expect(outcome.status == 0 && outcome.lines == [directory.path("anna-headshot-2.jpg")], "\(outcome.errors)")
    #expect(try isJPEG(directory.path("anna-headshot-2.jpg")))
    #expect(try Data(contentsOf: URL(fileURLWithPath: taken)) == Data([1, 2, 3]))
    let hidden = try await generate(copy, "--private", "--background", "white", "--matte")
    #expect(hidden.lines == ["anna-headshot-3.jpg", "anna-headshot-3-matte.png"].map(directory.path), "\(hidden.errors)")
    // In the working directory, the path is as short as the photo's.
    let near = try await shell("cd \"$1\" && \"$0\" generate anna.png --data-dir data", directory.path)
    #expect(near.lines == ["anna-headshot-2.jpg"], "\(near.errors)")
    let piped = try await shell("cd \"$1\" && \"$0\" generate - --data-dir data < anna.png", directory.path)
    #expect(piped.lines == ["headshot.jpg"], "\(piped.errors)")
  }

  @Test("the files stay in the data directory where the photo's folder takes none, and with --no-output")
  func kept() async throws {
    // Not even root can make a file in this folder.
    let line = "exec 9< \"$2\"; \"$0\" generate /proc/self/fd/9 --data-dir \"$1\""
    let outcome = try await shell(line, data, photo)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines.first?.hasPrefix("\(data)/artifacts/") == true, "\(outcome.output)")
    #expect(outcome.errors.contains("The picture stays in the data directory."), "\(outcome.errors)")
    let asked = try await generate(photo, "--no-output")
    #expect(asked.lines == outcome.lines, "\(asked.errors)")
    let hidden = try await shell(line + " --private", data, photo)
    #expect(hidden.status == 1 && hidden.output.isEmpty, "\(hidden.errors)")
  }

  @Test("the file behind a symbolic link is replaced, and keeps its access rights")
  func links() async throws {
    let target = try directory.write("target.jpg", [1])
    chmod(target, 0o640)
    let link = directory.path("link.jpg")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target.jpg")
    let outcome = try await generate(photo, "-o", link)
    #expect(outcome.status == 0 && outcome.lines == [link], "\(outcome.errors)")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target.jpg")
    #expect(try isJPEG(target))
    #expect(try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int == 0o640)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names.sorted() == ["data", "link.jpg", "target.jpg"])
  }

  @Test("the files are named in history, with the photo's; private ones are not")
  func metadata() async throws {
    let copy = directory.path("anna.png")
    try FileManager.default.copyItem(atPath: photo, toPath: copy)
    func metadata(_ arguments: String...) async throws -> JSONValue? {
      let outcome = try await Executable.run(["generate", "--data-dir", data, "--json"] + arguments)
      return try JSONValue(parsing: Array(outcome.output.utf8))["metadata"]
    }
    let beside: JSONValue = ["source": "anna.png", "target": .string(directory.path("anna-headshot.jpg"))]
    #expect(try await metadata(copy) == beside)
    // The picture is the same, and so is its file.
    #expect(try await metadata(copy) == beside)
    let named = directory.path("me.png")
    #expect(try await metadata(copy, "-o", named) == ["source": "anna.png", "target": .string(named)])
    let folder = try directory.makeFolder("out")
    let there: JSONValue = ["source": "anna.png", "target": .string("\(folder)/anna-headshot.jpg")]
    #expect(try await metadata(copy, "--directory", folder) == there)
    // Connections that are confined to another account may not be told paths.
    #expect(try await metadata(copy, "--directory", folder, "--account", "anna") == ["source": "anna.png"])
    #expect(try await metadata(copy, "--no-output") == ["source": "anna.png"])
    #expect(try await metadata(copy, "--private", "--directory", folder) == nil)
  }

  @Test("the name of the file after -o gives the folder, stem and format of what is written", arguments: [
    ("a/b.jpg", "a", "b", "jpeg"), ("b.JPEG", ".", "b", "jpeg"), ("/b.png", "/", "b", "png"), ("b", ".", "b", nil),
    ("a.b/c", "a.b", "c", nil), (".jpg", ".", ".jpg", nil), ("a.tmp", ".", "a", nil), ("a.heif", ".", "a", "heic"),
    ("a.b.webp", ".", "a.b", "webp"),
  ] as [(String, String, String, String?)])
  func names(path: String, folder: String, stem: String, format: String?) {
    let name = OutputName(path)
    #expect(name.folder == folder)
    #expect(name.stem == stem)
    #expect(name.format?.rawValue == format)
    #expect(name.mattePath == (folder == "." ? "" : folder == "/" ? "/" : folder + "/") + stem + "-matte.png")
  }
}
