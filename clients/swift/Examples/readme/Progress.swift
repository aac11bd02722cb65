import AtelierClient

func progress() async throws {
  try await withStudio { studio in
    let generation = studio.generate(Generate(recipe: .headshot, image: .path("ada.png")))
    for try await progress in generation.progress {
      print("\(Int(progress.overall * 100)) %: \(progress.message)")
      generation.cancel()
    }
    print(try await generation.result.state)
  }
}
