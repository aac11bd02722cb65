import AtelierClient

func places() async throws {
  var options = Studio.Options()
  options.locationSearch = { question in
    print("asked for", question.query)
    return [FoundPlace(name: "Houndstooth Coffee", streetAddress1: "401 Congress Ave", city: "Austin")]
  }
  try await withStudio(options) { studio in
    print(try await studio.initialization.capabilities.recipes)
    // With a key: studio.generate(Generate(recipe: .places, prompt: "Top coffee shops in Austin", limit: 5))
  }
}
