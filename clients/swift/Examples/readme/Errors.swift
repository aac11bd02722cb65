import AtelierClient

func errors() async throws {
  try await withStudio { studio in
    do {
      _ = try await studio.generate(Generate(recipe: .headshot, image: .path("flag.jpg"))).result
    } catch let error as AtelierError where error.kind == .rateLimited {
      print("again in", error.retryAfterMs ?? 0, "ms")
    } catch let error as AtelierError where error.clientKind == .connectionLost {
      print("the service is gone:", error.message)
    } catch let error as AtelierError {
      print(error.kindName, error.message)
    }
  }
}
