// Runs the examples of README.md that are named, in a folder with the photos that they use.
let examples: [String: () async throws -> Void] = [
  "headshot": headshot, "progress": progress, "images": images, "errors": errors, "retry": retry, "detached": detached,
  "requests": requests, "places": places,
]
for name in CommandLine.arguments.dropFirst() { try await examples[name]?() }
