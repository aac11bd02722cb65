import AtelierClient

func images() async throws {
  try await withStudio { studio in
    let photo = try await studio.send(ImagePrepare(image: .path("grace.jpg"), longestSide: 4096))
    guard let prepared = photo.preparedId else { return }

    // Both are made at the same time.
    let backgrounds: [Background] = [.professional, .casual]
    let generations = backgrounds.map { background in
      studio.generate(Generate(recipe: .headshot, image: .prepared(prepared), style: Style(background: background)))
    }
    for generation in generations { print(try await generation.result.path) }

    let first = try await generations[0].result.generationId
    let others = studio.regenerate(Regenerate(generationId: first, output: Generate.Output(count: 2)))
    print(try await others.result.images.map(\.width))
    print(try await studio.picture(of: first, longestSide: 256).count, "bytes")
  }
}
