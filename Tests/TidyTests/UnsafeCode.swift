import Testing

/// What the compiler cannot check stands where somebody has looked at it.
enum UnsafeCode {
  private static let exceptions = Exceptions(reasons: [
    "CurlHTTP/": "libcurl's handles and callbacks",
    "Encodings/ExactText.swift": "hashes the bytes of a text without copying them",
    "Encodings/HostAddress.swift": "inet_pton(3) writes an address",
    "GeminiSimulator/Pictures/Zlib.swift": "zlib reads and writes buffers",
    "Imaging/Formats/JPEGEnding.swift": "reads a file that is mapped in the worker",
    "Imaging/Formats/PictureReading.swift": "reads a file that is mapped in the worker",
    "Imaging/Photos/PhotoFile.swift": "read(2) fills a part of an array",
    "JSONRPC/Framing/FrameParser.swift": "memchr finds the end of a line",
    "JSONRPC/Transport/StdioTransport.swift": "read(2) and write(2)",
    "JSONRPC/WireTrace.swift": "write(2)",
    "Localization/Language.swift": "files embedded in the executable",
    "MCP/Calls/CostConfirmation.swift": "the bytes of whole numbers",
    "POSIX/": "the system's calls take pointers, and some only the linker knows",
    "Portrait/": "loops over millions of pixels, in parallel: checked indices would double their time",
    "Receipts/Google/GooglePublicKey.swift": "how swift-crypto calls the reading of a key",
    "Server/ProtocolDocument.swift": "a file embedded in the executable",
    "Store/Backup/FileCopy.swift": "hashes bytes without copying them",
    "Store/Engines/PostgreSQL/": "libpq's calls take and give pointers, and call back with one",
    "Store/Engines/SQLite/DatabaseGround.swift": "the shared memory of SQLite's log",
    "Store/Files/StoredArtifact.swift": "hashes bytes without copying them",
    "TFLite/Interpreter.swift": "the memory of a run, of one size for all of it",
    "TFLite/Kernels/": "vectors of eight numbers from planned offsets: checked ones would double their time",
    "Templates/EmbeddedTemplates.swift": "files embedded in the executable",
    "WebHost/Interface/OpenAPI.swift": "a file embedded in the executable",
    "WebHost/Interface/Upload.swift": "pread(2) fills a part of an array",
    "WebHost/Interface/ZipArchive.swift": "the bytes of whole numbers",
    "WebHost/Pages/Pages.swift": "files embedded in the executable",
    "atelier-imaging/ColourConversion.swift": "loops over millions of pixels",
    "atelier-imaging/InputBytes.swift": "a file that is mapped or received, read by libvips",
    "atelier-imaging/JobQueue.swift": "the C objects of a lock must not move",
    "atelier-imaging/VipsFailure.swift": "libvips' error text is a C string",
    "atelier-imaging/VipsImage.swift": "libvips reads and writes buffers",
    "atelier/Commands/SilentTerminal.swift": "the array of control characters in termios",
    "atelier/Options/ForeignText.swift": "arguments that are not UTF-8",
    "atelier/TaskThreads.swift": "a job of the runtime, passed on once and not looked at",
  ])

  private static let names = ["Unsafe", "unsafe", "@unchecked"]

  static func faults(in files: [TextFile]) -> [Fault] {
    exceptions.faults(
      in: files, naming: names,
      remedy: "use what the compiler checks; if that is impossible, list the file with the reason in UnsafeCode.swift")
  }
}

@Suite("Unsafe code")
struct UnsafeCodeTests {
  @Test("pointers and unchecked sendability stand only in the files that are listed with a reason")
  func repository() {
    expectNone(UnsafeCode.faults(in: Repository.current.sources))
  }

  @Test("unsafe code in another file is found, and in a comment is none", arguments: [
    ("final class A: @unchecked Sendable {}", 1), ("nonisolated(unsafe) var a = 0", 1), ("a.withUnsafeBytes { $0 }", 1),
    ("func a(_ b: UnsafeRawPointer) {}", 1), ("// It is unsafe.", 0), (#"print("unsafe")"#, 0),
  ])
  func examples(line: String, count: Int) {
    let file = TextFile(path: "Sources/A/B.swift", lines: [line])
    #expect(UnsafeCode.faults(in: [file]).count { $0.path == file.path } == count)
  }
}
