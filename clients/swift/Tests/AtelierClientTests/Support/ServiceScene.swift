import Support

@testable import AtelierClient

/// The built service, with a data directory of its own.
struct ServiceScene {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A small portrait.
  static let photo = "\(project)/Tests/Fixtures/images/face.jpg"
  static let project = #filePath.split(separator: "/").dropLast(6).reduce("") { "\($0)/\($1)" }

  func options(_ change: (inout Studio.Options) -> Void = { _ in }) -> Studio.Options {
    var options = Studio.Options(dataDirectory: folder.path("data"))
    options.service = .executable(ServiceExecutable.path)
    change(&options)
    return options
  }

  func studio(_ change: (inout Studio.Options) -> Void = { _ in }) async throws -> Studio {
    try await Studio(options(change))
  }
}

extension Studio {
  /// The id of the service's process.
  var processID: Int32 {
    get async throws {
      guard let process = try await usableConnection().process else { throw AtelierError(.invalidUse, "not started here") }
      return process.identifier
    }
  }
}

extension Generate {
  static var headshot: Generate { Generate(recipe: .headshot, image: .path(ServiceScene.photo)) }
}
