import AtelierProtocol
import Engine
import Localization

extension Tool {
  /// The tools for one generation.
  static let generationTools = [
    Tool(
      name: "get_generation", title: "Get a generation",
      description: """
        Gives the result of a generation that was still being made, \
        waiting for it if necessary. Call it with the generation \
        id after an answer that says “still working”, as often as it says so.
        """,
      parameters: [
        generation,
        Parameter(
          name: "wait_seconds", kind: .integer(0...50),
          description: "How long to wait for the end. Leave it out for the best time."),
      ], output: GenerationReport.ofEither,
      work: .answer { arguments, call, service in
        try await service.report(
          of: arguments.generation(), for: call,
          waitingMs: arguments.integer("wait_seconds").map { Int64($0) * 1_000 } ?? service.settings.waitMs)
      }),
    Tool(
      name: "show_picture", title: "Show a picture",
      description: """
        Shows a finished picture as a small preview, so that you can see it. The file itself stays at the path that the \
        generation names.
        """,
      parameters: [
        generation,
        Parameter(name: "index", kind: .integer(0...3), description: "Which picture of the generation, from 0. Default 0."),
        Parameter(
          name: "max_side", kind: .integer(64...GenerationReport.previewSide),
          description: "The longest side of the preview in pixels. Default \(GenerationReport.previewSide)."),
      ],
      work: .answer { arguments, _, service in
        let shown = try await service.engine.generation(arguments.generation(), for: service.caller)
        let index = arguments.integer("index") ?? 0
        guard let image = shown.images.first(where: { $0.index == index }) else {
          guard !shown.state.isFinal else { throw AtelierError.noPicture(index, of: shown.generationId) }
          throw AtelierError(
            .notFound,
            "The generation \(shown.generationId.rawValue) has no picture yet. Call get_generation to wait for it.")
        }
        var answer = ToolAnswer(
          text: """
            Picture \(index) of \(shown.generationId.rawValue): \(GenerationReport.place(of: image, of: shown)) \
            (\(image.width) × \(image.height)).
            """, structured: GenerationReport(shown).structured)
        guard service.settings.showsPictures else {
          answer.parts.append(
            .said("This server was started to show no pictures. You cannot see it: tell the person where it is."))
          return answer
        }
        let side = arguments.integer("max_side") ?? GenerationReport.previewSide
        answer.previews = [try await service.preview(of: shown, index, side: side)]
        return answer
      }),
    Tool(
      name: "make_print_sheet", title: "Make a sheet for printing",
      description: """
        Puts copies of a finished picture on a sheet of paper, each in its exact size in print, with lines to cut along, \
        and saves it as a PDF or a JPEG. Use it for a photo for a passport. It costs nothing. Tell the person to print it \
        in its actual size.
        """,
      parameters: [
        generation,
        Parameter(name: "index", kind: .integer(0...3), description: "Which picture of the generation, from 0. Default 0."),
        Parameter(
          name: "paper", kind: .text(longest: 32), isRequired: true,
          description: "The paper: a width and a height in centimetres such as 10x15, or 4x6in, a4, a5, a6, letter."),
        Parameter(
          name: "copies", kind: .integer(SheetCopies.range), description: "How many copies. Default: as many as fit."),
        Parameter(
          name: "format", kind: .choice(SheetFormat.allCases.map(\.rawValue)),
          description: "pdf (the default), or jpeg for shops that print pictures."),
        Parameter(
          name: "folder", kind: .text(longest: PathLength.maximum), isRequired: true,
          description: "An existing folder for the file, as an absolute path."),
      ], effect: .makes,
      work: .answer { arguments, _, service in
        guard let paper = PaperSize(text: arguments.required("paper")) else {
          throw AtelierError(.wrongRecipeInput, "paper must be \(PaperSize.expected).")
        }
        let sheet = PrintSheet(
          paper: paper, copies: arguments.integer("copies"), format: arguments.text("format").flatMap(SheetFormat.init))
        let shown = try await service.engine.generation(arguments.generation(), for: service.caller)
        let folder = PictureReference.absolutePath(arguments.required("folder"), service.settings)
        let path = try await service.engine.write(
          sheet, of: shown.generationId, index: arguments.integer("index") ?? 0, to: folder, for: service.caller)
        return ToolAnswer(text: "The sheet is saved: \(path)", structured: GenerationReport(shown).structured)
      }),
    Tool(
      name: "cancel_generation", title: "Cancel a generation",
      description: "Stops a generation that is still being made. Its credits are given back. Finished pictures stay.",
      parameters: [generation], output: GenerationReport.ofEither, effect: .cancels,
      work: .answer { arguments, _, service in
        let cancelled = try await service.engine.generations.cancel(
          Cancel(target: .id(arguments.generation())), for: service.caller)
        return GenerationReport(cancelled).answer
      }),
  ]

  private static let generation = Parameter(
    name: "generation", kind: .text(longest: GenerationID.maximumLength), isRequired: true,
    description: "The generation id, such as gen_01kbkf8q6v3m5c7x9d1h2j4k6n.")
}
