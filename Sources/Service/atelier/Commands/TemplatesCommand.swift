import ArgumentParser
import AtelierProtocol
import Engine

/// `atelier templates`: the hairstyle library.
struct TemplatesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "templates",
    abstract: "List the hairstyles of the library, or show one.",
    discussion: """
      Use one with: atelier hairstyle photo.jpg --template TEMPLATE

        atelier templates --category short
        atelier templates --search "shoulder length"
        atelier templates soft-pixie
      """)

  @Argument(help: "One template, to be shown with its prompt.", completion: .templates)
  var template: String?

  @Option(help: "Only this category: \(TemplateCategory.allCases.map(\.rawValue).joined(separator: ", ")).")
  var category: TemplateCategory?

  @Option(help: "Only templates with this tag.")
  var tag: String?

  @Option(help: "Only templates with these words.")
  var search: String?

  @Option(help: "The number of templates, 1 to 100.")
  var limit: Int = TemplatesList.defaultLimit

  @Option(help: "Continue after this cursor, the nextCursor of the previous page.")
  var cursor: String?

  @Flag(help: "Print the answer as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  private var request: TemplatesList {
    TemplatesList(category: category, tag: tag, search: search, limit: limit, cursor: cursor)
  }

  func validate() throws {
    guard template == nil || category == nil && tag == nil && search == nil && cursor == nil else {
      throw ValidationError("Name one template, or say which to list, not both.")
    }
    _ = try request.checked()
    _ = try template.map { try TemplatesGet(templateId: $0).checked() }
  }

  func run() async throws {
    try await EngineAssembly.withEngine(common.settings) { engine in
      if let template {
        try show(try await engine.template(TemplatesGet(templateId: template)))
      } else {
        try show(try await engine.listTemplates(request, for: Caller()))
      }
    }
  }

  private func show(_ template: Template) throws {
    if json { return try Console.printJSON(template) }
    print("\(template.id)  \(template.category.rawValue)  \(template.name.onOneLine)")
    print("    \(template.prompt.onOneLine)")
    if !template.tags.isEmpty { print("    \(template.tags.joined(separator: ", ").onOneLine)") }
  }

  private func show(_ page: TemplatesList.Result) throws {
    if json { return try Console.printJSON(page) }
    for problem in page.problems ?? [] { Console.tell("A file of templates is not used. \(problem.sentence)") }
    if page.templates.isEmpty { print("There is no such template. `atelier templates` lists all.") }
    for template in page.templates {
      print("\(template.id)  \(template.category.rawValue)  \(template.name.onOneLine)")
    }
    if let next = page.nextCursor { print("More: the same command with --cursor \(next)") }
  }
}

extension TemplateCategory: ExpressibleByArgument {}
