import Testing

/// Whatever a person may have saved with an editor is read without its byte order mark, and told by name where it is in
/// another encoding: by `FileSystem.readText`, or by whoever asks `SavedText`.
enum FileReaders {
  private static let exceptions = Exceptions(reasons: [
    "AtelierClient/LargePhotos.swift": "pictures",
    "Engine/Accepting/PhotoIntake.swift": "photos",
    "Engine/Accepting/PhotoSource.swift": "photos",
    "Imaging/Networks/NetworkCatalogue.swift": "networks",
    "Store/": "what the store has written itself",
    "Templates/TemplateFolder.swift": "TemplateFile asks SavedText; pictures",
    "WebHost/Configuration/ConfigurationFile.swift": "PlaceList asks SavedText",
    "WebHost/Interface/Hairstyles.swift": "pictures",
    "WebHost/Pages/": "files of the pages, sent as they are",
    "atelier/Commands/MCPHostFile.swift": "asks SavedText, and keeps a copy of the file as it was",
    "atelier/Commands/ModelsAddCommand.swift": "networks",
    "atelier/Commands/PlaceListSource.swift": "PlaceList asks SavedText",
    "atelier/Options/ConfigurationFile+Credits.swift": "certificates in DER or PEM: AppleRootCertificate asks SavedText",
    "atelier/Options/ConfigurationFile+Pictures.swift": "a picture",
    "atelier/Options/ConfigurationSource.swift": "asks SavedText",
    "atelier/Pictures/": "pictures",
  ])

  private static let names = ["FileSystem.read(", "PhotoFile.read"]

  static func faults(in files: [TextFile]) -> [Fault] {
    exceptions.faults(
      in: files, naming: names,
      remedy: "use FileSystem.readText; if it is no text, list the file with the reason in FileReaders.swift")
  }
}

@Suite("Readers of files")
struct FileReadersTests {
  @Test("text files are read without their byte order mark; what reads bytes is listed with a reason")
  func repository() {
    expectNone(FileReaders.faults(in: Repository.current.sources))
  }

  @Test("a reader of bytes in another file is found", arguments: [
    ("let a = try FileSystem.read(path)", 1), ("let a = try FileSystem.readText(path)", 0),
    ("let a = try await PhotoFile.read(path, maximumBytes: 1)", 1), ("// FileSystem.read(path)", 0),
  ])
  func examples(line: String, count: Int) {
    let file = TextFile(path: "Sources/A/B.swift", lines: [line])
    #expect(FileReaders.faults(in: [file]).count { $0.path == file.path } == count)
  }
}
