import AtelierClient

func detached() async throws {
  let id = try await withStudio { studio in
    try await studio.generate(Generate(recipe: .headshot, image: .path("ada.png"), detach: true)).accepted
  }
  // Later, in this program or in another one:
  try await withStudio { studio in
    let generation = studio.attach(to: id)
    for try await progress in generation.progress { print(progress.message) }
    print(try await generation.result.path)
  }
}
