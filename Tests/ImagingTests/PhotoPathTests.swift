import AtelierProtocol
import Glibc
import JSON
import POSIX
import Support
import Testing

@testable import Imaging

@Suite("The path of a photo that is not there as it is written")
struct PhotoPathTests {
  @Test("a photo's path leads to the one file whose name looks the same", arguments: [
    ("Screenshot 2026-11-21 at 9.41.00\u{202F}AM.png", "Screenshot 2026-11-21 at 9.41.00 AM.png"),
    ("Screenshot 9.41 AM.png", "Screenshot 9.41\u{202F}AM.png"), ("Jose\u{301}.jpg", "Jos\u{E9}.jpg"),
    ("Jos\u{E9}.jpg", "Jose\u{301}.jpg"), ("a\u{A0}b.jpg", "a b.jpg"), ("a\u{3000}b.jpg", "a b.jpg"),
    ("a\u{2009}b\u{200B}.jpg", "a b.jpg"), ("Tom\u{2019}s.jpg", "Tom's.jpg"), ("a\u{2013}b.jpg", "a-b.jpg"),
    ("photo.jpg", "photo.jpg\n"), ("photo.jpg", " photo.jpg "), ("photo.jpg", "\u{202A}photo.jpg"),
    ("\u{AC00}.jpg", "\u{1100}\u{1161}.jpg"), ("Éte\u{301}/a b.jpg", "E\u{301}té/a\u{202F}b.jpg"),
  ])
  func found(file: String, asked: String) async throws {
    let folder = try TemporaryDirectory()
    if let slash = file.lastIndex(of: "/") { _ = try folder.makeFolder(String(file[..<slash])) }
    try folder.write(file, [1, 2, 3])
    #expect(try await PhotoFile.read(folder.path(asked), maximumBytes: 9) == [1, 2, 3])
    try await PhotoFile.check(folder.path(asked), maximumBytes: 9)
    let within = AllowedFolders([folder.path])
    #expect(try await PhotoFile.read(folder.path(asked), maximumBytes: 9, within: within) == [1, 2, 3])
  }

  @Test("a photo's path is the file of that very name where there is one")
  func exact() async throws {
    let folder = try TemporaryDirectory()
    try folder.write("a b.jpg", [1])
    try folder.write("a\u{202F}b.jpg", [2])
    #expect(try await PhotoFile.read(folder.path("a b.jpg"), maximumBytes: 9) == [1])
    #expect(try await PhotoFile.read(folder.path("a\u{202F}b.jpg"), maximumBytes: 9) == [2])
  }

  @Test("a photo's path leads nowhere where several names look the same, and all are named")
  func several() async throws {
    let folder = try TemporaryDirectory()
    let paths = [try folder.write("a b.jpg", [1]), try folder.write("a\u{202F}b.jpg", [2])]
    let error = try await #require(throws: ImagingError.self) {
      try await PhotoFile.read(folder.path("a\u{A0}b.jpg"), maximumBytes: 9)
    }
    #expect(error.kind == .invalidImage && error.message.contains("2 files whose names look the same"))
    #expect(Set(error.details["candidates"]?.array?.compactMap(\.string) ?? []) == Set(paths))
  }

  @Test(
    "a photo's path leads nowhere where the names differ visibly",
    arguments: ["a b.jpeg", "ab.jpg", "A b.jpg", "a  b.jpg", "b a.jpg", "x/a b.jpg"])
  func different(asked: String) async throws {
    let folder = try TemporaryDirectory()
    try folder.write("a b.jpg", [1])
    let error = try await #require(throws: ImagingError.self) {
      try await PhotoFile.read(folder.path(asked), maximumBytes: 9)
    }
    #expect(error.message.contains("no file at"))
  }

  @Test("a photo's path leads out of no folder that a confined connection may read")
  func confined() async throws {
    let folder = try TemporaryDirectory()
    let inside = try folder.makeFolder("in")
    let outside = try folder.makeFolder("out")
    try folder.write("out/a b.jpg", [1])
    symlink("\(outside)/a b.jpg", "\(inside)/c d.jpg")
    let folders = AllowedFolders([inside])
    for path in [
      "\(outside)/a\u{202F}b.jpg", "\(inside)/c\u{202F}d.jpg", "\(inside)/../out/a\u{202F}b.jpg", "\(inside)/none.jpg",
    ] {
      let error = try await #require(throws: ImagingError.self) {
        try await PhotoFile.read(path, maximumBytes: 9, within: folders)
      }
      #expect(error.kind == .fileAccessDenied && error.message.contains("that may be read here"))
    }
  }

  static let foreign: [(String, String)] = [
    ("C:\\Users\\Ann\\me.jpg", "name it as “/mnt/c/Users/Ann/me.jpg”"), ("d:/photos/me.jpg", "/mnt/d/photos/me.jpg"),
    ("\u{202A}C:\\Users\\me.jpg", "/mnt/c/Users/me.jpg"), ("file:///C:/Users/a%20b.jpg", "/mnt/c/Users/a b.jpg"),
    ("\\\\server\\share\\me.jpg", "path of Windows"), ("Pictures\\me.jpg", "path of Windows"),
    ("file:///home/ann/a%20b.jpg", "Name the file as “/home/ann/a b.jpg”"),
    ("file://localhost/home/me.jpg", "“/home/me.jpg”"), ("\"/home/ann/me.jpg\"", "quotation marks"),
    ("'/home/ann/me.jpg'", "quotation marks"), ("“me.jpg”", "quotation marks"),
    ("\"C:\\Users\\me.jpg\"", "quotation marks"), ("/mnt/user-data/uploads/me.jpg", "where a chat keeps"),
    ("/mnt/data/me.png", "where a chat keeps"), ("sandbox:/mnt/data/me.png", "where a chat keeps"),
    ("attachment://me.png", "where a chat keeps"), ("https://example.com/me.jpg", "download the picture"),
    ("HTTP://example.com/me.jpg", "download the picture"), ("~/Pictures/me.jpg", "~ is not replaced"),
    ("My\\ Photo\\ 1.jpg", "backslashes"), ("/nowhere/My\\ Photo.jpg", "backslashes"), ("$HOME/me.jpg", "variables"),
  ]

  @Test("a photo's path in the notation of another place gets a sentence of its own", arguments: foreign)
  func notation(path: String, says: String) async throws {
    let error = try await #require(throws: ImagingError.self) { try await PhotoFile.read(path, maximumBytes: 9) }
    #expect(error.kind == .invalidImage)
    #expect(error.message.contains(says), "\(error.message)")
    #expect(error.message.hasSuffix("."))
    let confined = try await #require(throws: ImagingError.self) {
      try await PhotoFile.read(path, maximumBytes: 9, within: AllowedFolders(["/nowhere"]))
    }
    #expect(confined.kind == .fileAccessDenied && confined.message == error.message)
  }

  @Test("a photo's path that is the picture itself is not repeated", arguments: ["data:image/png;base64,", ""])
  func data(prefix: String) async throws {
    let path = prefix + String(repeating: "iVBORw0KGgo", count: 5000)
    for folders in [nil, AllowedFolders(["/nowhere"]), AllowedFolders(["/"])] {
      let error = try await #require(throws: ImagingError.self) {
        try await PhotoFile.read(path, maximumBytes: 9, within: folders)
      }
      #expect(!"\(error)".contains("iVBOR"))
    }
  }

  @Test("a photo's path is an ordinary one where none of this is meant", arguments: [
    "/home/ann/me.jpg", "me.jpg", "a:b.jpg", "/data/photo.jpg", "don't.jpg", "5\" disk.jpg", "100%.jpg", "datas/x.jpg",
  ])
  func ordinary(path: String) {
    #expect(ForeignPath(path) == nil)
  }
}

