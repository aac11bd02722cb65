import AtelierProtocol
import Foundation
import Testing

@testable import Templates

@Suite("The library inside the binary")
struct EmbeddedTemplatesTests {
  @Test(
    "the embedded library is what the files in Sources/Base/CEmbedded/hairstyles say",
    arguments: TemplateCategory.allCases)
  func current(category: TemplateCategory) throws {
    let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = [UInt8](
      try Data(contentsOf: project.appending(path: "Sources/Base/CEmbedded/hairstyles/\(category.rawValue).json")))
    #expect(
      EmbeddedTemplates.bytes(of: category) == file,
      "touch Sources/Base/CEmbedded/embedded.S and build again: what is embedded is not the file")
    let read = try TemplateFile(file, name: "\(category.rawValue).json", folder: "")
    #expect(read.definitions.allSatisfy { $0.template.category == category && !$0.isRetired })
    #expect(read.definitions.count >= 6)
  }

  @Test("the embedded library has at least fifty hairstyles, each with an id and a name of its own")
  func count() {
    let all = EmbeddedTemplates.all.map(\.template)
    #expect(all.count >= 50)
    #expect(TemplateLibrary(EmbeddedTemplates.all).count == all.count)
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(Set(all.map(\.prompt)).count == all.count)
  }

  @Test(
    "the embedded library says each hairstyle in two to four sentences, and nothing of the face or of anybody",
    arguments: EmbeddedTemplates.all.map(\.template.id))
  func words(id: String) throws {
    let template = try #require(TemplateLibrary(EmbeddedTemplates.all)[id])
    let sentences = template.prompt.split(separator: ".").count
    #expect((2...4).contains(sentences), "\(sentences) sentences")
    #expect(template.prompt.hasSuffix(".") && template.prompt.unicodeScalars.allSatisfy { $0.isASCII })
    #expect((150...600).contains(template.prompt.count), "\(template.prompt.count) characters")
    #expect((3...8).contains(template.tags.count))
    #expect(Set(template.tags).count == template.tags.count)
    #expect(template.reference == nil && template.thumbnail == nil)
    for word in ["beautiful", "prettier", "younger", "slimmer", "celebrity"] {
      #expect(!template.prompt.lowercased().contains(word))
    }
  }

  @Test(
    "the embedded library is for every texture and for everybody",
    arguments: [
      ("straight", 8), ("wavy", 8), ("curly", 5), ("coily", 8), ("masculine", 15), ("feminine", 15), ("androgynous", 15),
    ])
  func balance(tag: String, least: Int) {
    let library = TemplateLibrary(EmbeddedTemplates.all)
    let (found, _) = library.page(TemplateQuery(tag: tag), usage: TemplateUsage(), limit: 100)
    #expect(found.count >= least, "\(tag)")
  }
}
