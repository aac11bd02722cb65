import AtelierProtocol
import Foundation
import Imaging
import JSON
import ServiceFixture
import Support
import Testing

@testable import atelier

@Suite("Photos for passports from the command line", .timeLimit(.minutes(3)))
struct PassportCommandTests {
  private let directory: TemporaryDirectory
  private let photo = Fixture.path("portraits/grace_hopper.jpg")

  init() throws { directory = try TemporaryDirectory() }

  private func generate(_ arguments: String...) async throws -> Executable.Outcome {
    try await Executable.run(["generate", photo, "--data-dir", directory.path + "/data"] + arguments)
  }

  private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  @Test("a size may follow --passport, and a file of that name stays a photo", arguments: [
    (["a.jpg", "--passport", "us"], ["a.jpg", "--passport-size", "us"]),
    (["--passport", "36x47", "a.jpg"], ["--passport-size", "36x47", "a.jpg"]),
    (["--passport=nl", "a.jpg"], ["--passport-size=nl", "a.jpg"]),
    (["--passport", "a.jpg"], ["--passport", "a.jpg"]), (["a.jpg", "--passport"], ["a.jpg", "--passport"]),
    (["--passport", "photos"], ["--passport", "photos"]), (["--passport", "club"], ["--passport-size", "club"]),
    (["--passport", "missing.jpg"], ["--passport", "missing.jpg"]), (["--passport", "-o", "us"], ["--passport", "-o", "us"]),
    (["--passport", "de", "x"], ["--passport", "de", "x"]), (["--", "--passport", "us"], ["--", "--passport", "us"]),
  ])
  func argument(given: [String], meant: [String]) {
    #expect(PassportArgument.meant(by: given) { ["de", "photos"].contains($0) } == meant)
  }

  @Test("a photo for a passport has the pixels and the bytes that a portal asks for")
  func portal() async throws {
    let path = directory.path + "/visa.jpg"
    let outcome = try await generate(
      "--passport", "us", "--pixels", "600x600", "--min-bytes", "100kB", "--max-bytes", "240kB", "-o", path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let picture = try ReceivedPicture(try bytes(path))
    #expect(picture.width == 600 && picture.height == 600)
    #expect((100_000...240_000).contains(try bytes(path).count))
  }

  @Test("a sheet lies beside its picture, and alone in the file after -o or on standard output")
  func sheets() async throws {
    let beside = try await generate("--passport", "nl", "--sheet", "10x15", "--copies", "8", "--directory", directory.path)
    #expect(beside.status == 0, "\(beside.errors)")
    let name = "\(directory.path)/grace_hopper-headshot"
    #expect(Set(beside.lines) == ["\(name).jpg", "\(name)-sheet.pdf"])
    #expect(try bytes("\(name)-sheet.pdf").starts(with: Array("%PDF".utf8)))
    for (file, start) in [("sheet.pdf", Array("%PDF".utf8)), ("sheet.jpg", [0xff, 0xd8, 0xff])] {
      let path = "\(directory.path)/\(file)"
      let alone = try await generate("--passport", "nl", "--sheet", "10x15", "-o", path)
      #expect(alone.status == 0 && alone.lines == [path], "\(alone.errors)")
      #expect(try bytes(path).starts(with: start))
    }
    let piped = try await generate("--passport", "nl", "--sheet", "a4", "--private", "-o", "-")
    #expect(piped.status == 0 && piped.output.hasPrefix("%PDF"), "\(piped.errors)")
  }

  @Test("a photo for a passport that cannot be made is refused before anything is made", arguments: [
    (["--passport-size", "300x400"], 2, "--passport-size"), (["--passport-size", "45x35"], 2, "--passport-size"),
    (["--head", "30-26"], 2, "--head"), (["--passport", "--head", "44-46"], 1, "--head"),
    (["--pixels", "600"], 2, "--pixels"), (["--pixels", "9000x9000"], 1, "100 to 2048 pixels"),
    (["--pixels", "600x600", "--size", "600"], 2, "--size and --pixels"),
    (["--min-bytes", "200kB", "--max-bytes", "100kB"], 2, "fewest bytes"),
    (["--passport-size", "nowhere"], 1, "“nowhere”"),
    (["--sheet", "1x1"], 2, "--sheet"), (["--sheet", "10x15", "--copies", "0"], 2, "1 to 100"),
    (["--passport", "--sheet", "10x15", "--copies", "9"], 1, "The most is 8."),
    (["--passport-size", "60x80", "--sheet", "5x7"], 1, "does not fit on this paper"), (["--copies", "4"], 2, "--sheet"),
    (["--sheet", "10x15", "-o", "sheet.png"], 2, ".pdf or .jpg"), (["--sheet", "10x15", "--no-output"], 2, "--no-output"),
    (["--sheet", "10x15", "--sheet-format", "jpeg", "-o", "a.pdf"], 2, "different formats"),
  ] as [([String], Int32, String)])
  func refused(arguments: [String], status: Int32, said: String) async throws {
    let isWritten = arguments.contains("-o") || arguments.contains("--no-output")
    let outcome = try await Executable.run(
      ["generate", photo, "--data-dir", directory.path + "/data"] + (isWritten ? [] : ["--directory", directory.path])
        + arguments)
    #expect(outcome.status == status && outcome.errors.contains(said), "\(outcome.status): \(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test("the operator's sizes are listed with the built-in ones, and a faulty one is refused with its place")
  func operators() async throws {
    let file = directory.path + "/atelier.json"
    try Data(#"{"pictures":{"passportSizes":[{"id":"club","title":"Club card","size":"30x40","headHeight":"24-28"}]}}"#.utf8)
      .write(to: URL(fileURLWithPath: file))
    let listed = try await Executable.run(["passports", "--config", file, "--data-dir", directory.path + "/data"])
    #expect(listed.status == 0, "\(listed.errors)")
    #expect(listed.lines.contains("club  Club card: 30x40, head 24-28"))
    #expect(listed.lines.contains { $0.hasPrefix("nl  Netherlands: 35x45") })
    try Data(#"{"pictures":{"passportSizes":[{"id":"club","title":"Club card","size":"30x40","headHeight":"39-40"}]}}"#.utf8)
      .write(to: URL(fileURLWithPath: file))
    let refused = try await Executable.run(["passports", "--config", file, "--data-dir", directory.path + "/data"])
    #expect(refused.status != 0)
    #expect(refused.errors.contains("/pictures/passportSizes/0/headHeight must be"), "\(refused.errors)")
  }
}
