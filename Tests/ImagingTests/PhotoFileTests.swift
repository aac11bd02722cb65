import AtelierProtocol
import Glibc
import POSIX
import Support
import Testing

@testable import Imaging

@Suite("Reading the file of a photo")
struct PhotoFileTests {
  @Test("reading a photo gives its bytes")
  func reads() async throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("a photo.jpg", [1, 2, 3])
    try await PhotoFile.check(path, maximumBytes: 3)
    #expect(try await PhotoFile.read(path, maximumBytes: 3) == [1, 2, 3])
  }

  @Test("reading a photo refuses what is no file with what it is", arguments: [
    ("folder", "is a folder"), ("pipe", "is a pipe"), ("/dev/null", "is a device"), ("missing", "no file at"),
    ("file/photo.jpg", "is a file, not a folder"), ("circle", "circle"), ("empty", "is empty"), ("", "no file at"),
    ("a\0b", "no file at"), (String(repeating: "x", count: 5000), "too long"),
  ])
  func refuses(name: String, says: String) async throws {
    let folder = try TemporaryDirectory()
    mkdir(folder.path("folder"), 0o700)
    mkfifo(folder.path("pipe"), 0o600)
    symlink(folder.path("circle"), folder.path("circle"))
    try folder.write("file", [1])
    try folder.write("empty", [])
    let path = name.isEmpty || name.hasPrefix("/") ? name : folder.path(name)
    let error = try await #require(throws: ImagingError.self) { try await PhotoFile.read(path, maximumBytes: 100) }
    #expect(error.kind == .invalidImage)
    #expect(error.message.contains(says), "\(error.message)")
    #expect(error.message.hasSuffix("."))
  }

  @Test("reading a photo refuses one that is too large by its size, before reading it")
  func tooLarge() async throws {
    let folder = try TemporaryDirectory()
    // A file of a terabyte that has no blocks: reading it would take for ever.
    let path = try folder.write("large.jpg", [1])
    truncate(path, 1 << 40)
    let error = try await #require(throws: ImagingError.self) {
      try await PhotoFile.read(path, maximumBytes: 7_000_000)
    }
    #expect(error.kind == .imageTooLarge)
    #expect(error.details["bytes"]?.int64 == 1 << 40)
    #expect(error.details["maxBytes"]?.int64 == 7_000_000)
    #expect(error.message.contains("at most 7 MB"))
    let checked = await #expect(throws: ImagingError.self) { try await PhotoFile.check(path, maximumBytes: 7_000_000) }
    #expect(checked == error)
  }

  @Test(
    "reading a photo takes what the file has become when it grows or shrinks meanwhile",
    arguments: [0, 1, 2, 99, 100, 101, 1000])
  func grows(expected: Int) throws {
    // The kernel's own text files have a size of 0 and content nevertheless: the same as a file that has grown.
    let bytes = [UInt8](repeating: 7, count: 100)
    let file = try MemoryFile(bytes)
    let descriptor = FileDescriptor(owning: dup(file.number))
    let refusal = PhotoFileRefusal(path: "photo.jpg")
    #expect(try PhotoFile.readToEnd(descriptor, expected: expected, maximumBytes: 100, refusal) == bytes)
    lseek(file.number, 0, SEEK_SET)
    #expect(throws: ImagingError.self) {
      try PhotoFile.readToEnd(descriptor, expected: min(expected, 99), maximumBytes: 99, refusal)
    }
  }

  @Test("reading a photo says which permission is missing on what, and the command that gives it")
  func denied() async throws {
    let folder = try TemporaryDirectory()
    chmod(folder.path, 0o711)
    mkdir(folder.path("closed folder"), 0o700)
    try folder.write("closed folder/photo.jpg", [1])
    let unreadable = try folder.write("photo.jpg", [1])
    chmod(unreadable, 0o600)
    // Permissions do not bind root, so the reading threads give that up; for others the modes above would have to be 0.
    try #require(geteuid() == 0 || chmod(unreadable, 0) == 0 && chmod(folder.path("closed folder"), 0) == 0)
    func refusal(_ path: String) async throws -> ImagingError {
      try await DedicatedThread.run {
        // Linux alone has it, for one thread at a time; the C library's headers hide it from Swift.
        typealias SetUser = @convention(c) (UInt32) -> Int32
        let symbol = try #require(dlsym(nil, "setfsuid"))
        _ = unsafeBitCast(symbol, to: SetUser.self)(65_534)
        do throws(ImagingError) {
          _ = try PhotoFile.readBlocking(path, maximumBytes: 10)
        } catch {
          return error
        }
        throw ImagingError(.internal, "It was read.")
      }
    }
    let file = try await refusal(unreadable)
    #expect(file.kind == .fileAccessDenied)
    #expect(file.details["missing"]?.string == "read")
    #expect(file.forOperators.contains("+r \(unreadable)"), "\(file.message)")
    let inside = try await refusal(folder.path("closed folder/photo.jpg"))
    #expect(inside.kind == .fileAccessDenied)
    #expect(inside.details["missing"]?.string == "search")
    #expect(inside.details["deniedPath"]?.string == folder.path("closed folder"))
    #expect(inside.forOperators.contains("+x '\(folder.path("closed folder"))'"), "\(inside.message)")
  }
}
