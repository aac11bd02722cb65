import AtelierClient

func retry() async throws {
  var options = Studio.Options()
  options.restart = true
  try await withStudio(options) { studio in
    let request = Generate(recipe: .headshot, image: .path("ada.png"), idempotencyKey: "portrait of ada")
    for _ in 1...3 {
      do {
        print(try await studio.generate(request).result.path)
        return
      } catch let error as AtelierError where error.clientKind == .connectionLost {
        print(error.message)
      }
    }
  }
}
