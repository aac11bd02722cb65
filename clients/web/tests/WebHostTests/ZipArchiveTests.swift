import Foundation
import Support
import Testing

@testable import WebHost

@Suite("The archive of a history")
struct ZipArchiveTests {
  /// Runs Python, whose own reader of archives judges.
  private func python(_ program: String, _ argument: String) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program, argument]
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }

  @Test("another program reads the files as they were, with their names")
  func reading() throws {
    let folder = try TemporaryDirectory()
    var archive = ZipArchive()
    var bytes = archive.file("pictures/a.jpg", [1, 2, 3]) + archive.file("empty", [])
    bytes += archive.file("história-日本.jsonl", Array("{}\n".utf8))
    bytes += archive.directory()
    let path = "\(folder.path)/history.zip"
    try Data(bytes).write(to: URL(filePath: path))
    let program = """
      import sys, zipfile
      archive = zipfile.ZipFile(sys.argv[1])
      print(archive.testzip(), [(i.filename, archive.read(i).hex()) for i in archive.infolist()])
      """
    #expect(
      try python(program, path)
        == "None [('pictures/a.jpg', '010203'), ('empty', ''), ('história-日本.jsonl', '7b7d0a')]\n")
  }

  @Test("an archive of more files than 16 bits can count is read as well")
  func many() throws {
    let folder = try TemporaryDirectory()
    var (archive, bytes) = (ZipArchive(), [UInt8]())
    for index in 0..<65_600 { bytes += archive.file("\(index)", [UInt8(truncatingIfNeeded: index)]) }
    bytes += archive.directory()
    let path = "\(folder.path)/history.zip"
    try Data(bytes).write(to: URL(filePath: path))
    let program = """
      import sys, zipfile
      archive = zipfile.ZipFile(sys.argv[1])
      print(len(archive.infolist()), archive.read('65599'))
      """
    #expect(try python(program, path) == "65600 b'?'\n")
  }

  @Test("an archive with nothing in it is one")
  func empty() {
    #expect(ZipArchive().directory() == [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18))
  }
}
