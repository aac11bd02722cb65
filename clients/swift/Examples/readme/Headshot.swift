import AtelierClient

func headshot() async throws {
  try await withStudio { studio in
    let style = Style(background: .professional)
    let generation = studio.generate(Generate(recipe: .headshot, image: .path("ada.png"), style: style))
    print(try await generation.result.path)
  }
}
