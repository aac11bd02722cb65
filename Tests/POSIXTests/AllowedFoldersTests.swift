import Foundation
import Support
import Testing

@testable import POSIX

@Suite("Folders outside of which no path leads")
struct AllowedFoldersTests {
  let temporary: TemporaryDirectory
  private var open: AllowedFolders { AllowedFolders([temporary.path("open")]) }

  init() throws {
    temporary = try TemporaryDirectory()
    for folder in ["open/deep", "closed"] {
      try FileManager.default.createDirectory(atPath: temporary.path(folder), withIntermediateDirectories: true)
    }
    for file in ["open/a", "open/deep/b", "closed/secret", "opener"] {
      try Data(file.utf8).write(to: URL(fileURLWithPath: temporary.path(file)))
    }
    try link("open/inside", to: "deep/b")
    try link("open/absolute", to: temporary.path("open/a"))
    try link("open/outside", to: temporary.path("closed/secret"))
    try link("open/gone", to: temporary.path("closed/nothing"))
    try link("open/door", to: temporary.path("closed"))
    try link("named", to: temporary.path("open"))
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: temporary.path(name), withDestinationPath: target)
  }

  private func content(_ folders: AllowedFolders, _ path: String) -> String? {
    guard let found = folders.open(path) else { return nil }
    return FileManager.default.contents(atPath: "/proc/self/fd/\(found.number)").map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("allowed folders let through what is in them, over links as well", arguments: [
    ("open/a", "open/a"), ("open//./a", "open/a"), ("open/deep/b", "open/deep/b"), ("open/inside", "open/deep/b"),
    ("open/absolute", "open/a"),
  ])
  func inside(path: String, found: String) {
    #expect(content(open, temporary.path(path)) == found)
    #expect(open.contain(temporary.path(path)))
  }

  @Test("allowed folders keep back what is not in them, whether it is there or not", arguments: [
    "closed/secret", "opener", "open/outside", "open/gone", "open/nothing", "open/door/secret", "open/../closed/secret",
    "open/deep/../a", "",
  ])
  func outside(path: String) {
    #expect(content(open, temporary.path(path)) == nil)
  }

  @Test("allowed folders are found by their own name and by that of a link to them")
  func linked() {
    for root in ["open", "named", "open/"] {
      let folders = AllowedFolders([temporary.path(root)])
      #expect(content(folders, temporary.path("open/a")) == "open/a", "\(root)")
    }
    #expect(content(AllowedFolders([temporary.path("named")]), temporary.path("named/a")) == "open/a")
    #expect(content(AllowedFolders(["/"]), temporary.path("closed/secret")) == "closed/secret")
  }

  @Test("allowed folders are none unless some are named, and one that is not there opens nothing")
  func none() {
    #expect(content(AllowedFolders(), temporary.path("open/a")) == nil)
    #expect(content(AllowedFolders([temporary.path("nowhere")]), temporary.path("open/a")) == nil)
    #expect(content(open, "a\u{0}b") == nil)
    #expect(AllowedFolders.isFolder(temporary.path("open")) && AllowedFolders.isFolder(temporary.path("named")))
    for path in [temporary.path("open/a"), temporary.path("nowhere"), "."] { #expect(!AllowedFolders.isFolder(path)) }
  }

  @Test("allowed folders compare names byte by byte")
  func bytes() throws {
    let (composed, decomposed) = (temporary.path("zo\u{E9}"), temporary.path("zoe\u{301}"))
    for path in [composed, decomposed] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    #expect(AllowedFolders([composed]).contain(composed))
    #expect(AllowedFolders([composed]).contain("\(decomposed)/a") == false)
  }

  @Test("allowed folders hold however often a link is exchanged while it is followed")
  func exchanged() throws {
    let (swapped, other) = (temporary.path("open/swapped"), temporary.path("open/other"))
    try link("open/swapped", to: temporary.path("open/deep"))
    try link("open/other", to: temporary.path("closed"))
    try Data("open/deep/secret".utf8).write(to: URL(fileURLWithPath: temporary.path("open/deep/secret")))
    let exchanger = try NameExchanger(swapped, other)
    var found = 0
    for _ in 0..<20_000 {
      guard let content = content(open, "\(swapped)/secret") else { continue }
      found += 1
      #expect(content == "open/deep/secret")
    }
    exchanger.stop()
    #expect(found > 0)
  }
}
