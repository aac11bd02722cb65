import AtelierProtocol
import Engine
import JSON

extension Tool {
  /// The tools that look something up.
  static let lookupTools = [
    Tool(
      name: "list_hairstyles", title: "List hairstyles",
      description: """
        Lists the hairstyles and beards that change_hairstyle knows by id, the most used first. Search with a word or two, \
        such \
        as: curly bob.
        """,
      parameters: [
        Parameter(
          name: "search", kind: .text(longest: SearchLength.maximum),
          description: "Words to find in name, tags or description."),
        Parameter(
          name: "category", kind: .choice(TemplateCategory.allCases.map(\.rawValue)),
          description: "Only hairstyles of this category."),
        cursor,
      ],
      output: page(
        "hairstyles",
        ["id": text, "name": text, "category": text, "description": text],
        required: ["id", "name", "category", "description"]),
      work: .answer { arguments, _, service in
        let page = try await service.engine.listTemplates(
          TemplatesList(
            category: arguments.text("category").flatMap(TemplateCategory.init), search: arguments.text("search"), limit: 25,
            cursor: arguments.text("cursor")), for: service.caller)
        let lines = page.templates.map { "\($0.id): \($0.name) (\($0.category.rawValue))" }
        return listAnswer(
          lines, none: "No hairstyle fits. Search with other words, or describe it to change_hairstyle in description.",
          name: "hairstyles", next: page.nextCursor,
          page.templates.map {
            [
              "id": .string($0.id), "name": .string($0.name), "category": .string($0.category.rawValue),
              "description": .string($0.prompt),
            ]
          })
      }),
    Tool(
      name: "list_generations", title: "List earlier results",
      description: """
        Lists what was made before, newest first, with generation ids and the paths of the pictures or the names of the \
        places.
        """,
      parameters: [
        Parameter(
          name: "search", kind: .text(longest: SearchLength.maximum), description: "A text to find in what was asked for."),
        cursor,
      ],
      output: page("generations", .object(GenerationReport.members), required: ["generationId", "state"]),
      work: .answer { arguments, _, service in
        let page = try await service.engine.history(
          History(limit: 20, cursor: arguments.text("cursor"), search: arguments.text("search")), for: service.caller)
        let lines = page.entries.map { entry in
          let picture = entry.private == true ? nil : entry.images.first.map { GenerationReport.place(of: $0, of: entry) }
          let result = picture ?? entry.places.map { $0.map(\.name).joined(separator: "; ") }
          let shown = result.map { ": \($0)" } ?? ""
          return
            "\(entry.generationId.rawValue): \(GenerationReport.title(of: entry)), "
            + "\(GenerationReport.state(of: entry))\(shown)"
        }
        return listAnswer(
          lines, none: "There is no such generation.", name: "generations", next: page.nextCursor,
          page.entries.map { .object(GenerationReport($0).structured) })
      }),
    Tool(
      name: "get_credits", title: "Show the credits",
      description: "Tells how many credits are left to make pictures with, if they are counted at all.",
      output: [
        "type": "object",
        "properties": [
          "metered": ["type": "boolean", "description": "Whether pictures cost credits."],
          "available": ["type": "integer", "description": "Credits that can be spent."],
          "held": ["type": "integer", "description": "Credits held for pictures under way."],
        ], "required": ["metered"],
      ],
      work: .answer { _, _, service in
        let balance = try await service.engine.balance(CreditsBalance(), for: service.caller)
        guard let available = balance.available else {
          return ToolAnswer(
            text: """
              Credits are not counted here: this is the machine's own account. Providers may charge the owner of the API \
              key.
              """,
            structured: ["metered": false])
        }
        return ToolAnswer(
          text: "\(available == 1 ? "1 credit is" : "\(available) credits are") available, "
            + "\(balance.held) \(balance.held == 1 ? "is" : "are") held for pictures under way.",
          structured: ["metered": true, "available": .integer(available), "held": .integer(balance.held)])
      }),
  ]

  private static let text: JSONValue = ["type": "string"]

  private static let cursor = Parameter(
    name: "cursor", kind: .text(longest: CursorLength.maximum), description: "nextCursor of the previous answer, for more.")

  /// The output schema of a list.
  private static func page(_ name: String, _ members: JSONValue, required: [String]) -> JSONValue {
    [
      "type": "object",
      "properties": [
        name: [
          "type": "array",
          "items": ["type": "object", "properties": members, "required": .array(required.map(JSONValue.string))],
        ], "nextCursor": ["type": "string", "description": "For the next page; absent on the last one."],
      ], "required": [.string(name)],
    ]
  }

  private static func listAnswer(
    _ lines: [String], none: String, name: String, next: String?, _ entries: [JSONValue]
  ) -> ToolAnswer {
    var structured: JSONObject = [name: .array(entries)]
    structured["nextCursor"] = next.map(JSONValue.string)
    let list: [ToolAnswer.Part] = lines.isEmpty ? [.said(none)] : lines.map { .listed($0) }
    let more: [ToolAnswer.Part] = next.map { [.said("More: call again with cursor \($0)")] } ?? []
    return ToolAnswer(list + more, structured: structured)
  }
}
