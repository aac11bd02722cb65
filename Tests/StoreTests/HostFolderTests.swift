import AtelierProtocol
import Glibc
import Support
import POSIX
import Testing

@testable import Store

@Suite("What is put into a host's folder")
struct HostFolderTests {
  let temporary: TemporaryDirectory
  let record: SyncRecord
  init() throws {
    temporary = try TemporaryDirectory()
    record = SyncRecord(below: temporary.path)
  }

  @Test("a file put into a host's folder is its owner's alone under a umask that takes nothing")
  func umask() async throws {
    let path = temporary.path
    let records = try await underUmask(0) {
      try OutputDirectory(path: path).write([1], to: "\(path)/picture")
      return try ExportRecords(
        name: "records", in: OpenedFolder(path: path), of: OutputDirectory(path: path))
    }
    for name in ["picture", "records"] {
      var status = stat()
      #expect(lstat(temporary.path(name), &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600, "\(name)")
    }
    withExtendedLifetime(records) {}
  }

  @Test("each picture that was told survives a power failure whole: its content is synced, then its name")
  func picture() async throws {
    let folder = OutputDirectory(path: temporary.path)
    for number in 1...2 {
      record.clear()
      let path = try await folder.place([1, 2, 3], stem: "gen_1", fileExtension: "png")
      #expect(path == temporary.path(number == 1 ? "gen_1.png" : "gen_1-2.png"))
      #expect(record.paths == [".gen_1.png.partial", ""])
    }
  }

  @Test("a file with the same bytes stands for a picture where that is allowed, and another name is found otherwise")
  func equal() async throws {
    let folder = OutputDirectory(path: temporary.path)
    func place(_ bytes: [UInt8], from number: Int = 1, keepsEqual: Bool = true) async throws -> String {
      let path = try await folder.place(
        bytes, stem: "anna", fileExtension: "jpg", from: number, keepsEqual: keepsEqual)
      return String(path.dropFirst(temporary.path.count + 1))
    }
    #expect(try await place([1]) == "anna.jpg")
    #expect(try await place([2]) == "anna-2.jpg")
    #expect(try await place([1]) == "anna.jpg")
    #expect(try await place([2], from: 7) == "anna-2.jpg")
    #expect(try await place([3], from: 7) == "anna-7.jpg")
    #expect(try await place([1], keepsEqual: false) == "anna-3.jpg")
    #expect(temporary.files() == ["anna-2.jpg", "anna-3.jpg", "anna-7.jpg", "anna.jpg"])
  }

  @Test("each export that was told survives a power failure whole: pictures, records, then their names")
  func export() async throws {
    let folder = ExportFolder(path: temporary.path, account: nil)
    let records = try await folder.begin()
    try await folder.placePicture([1, 2, 3], as: "a.png")
    try await records.append([1])
    try await folder.finish(records)
    #expect(record.paths == [
      "atelier-pictures/.a.png.partial", ".atelier-history.jsonl.partial", "atelier-pictures", "",
    ])
  }
}
