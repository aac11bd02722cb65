import AtelierClient
import Localization
import POSIX

/// The image services, one for each language that is asked for, because a connection speaks one. All of them have the same
/// data directory, so that every one knows every generation.
actor Services {
  private let options: Studio.Options
  private var starts: [Language: Task<Studio, any Error>] = [:]
  private var isClosed = false

  init(_ options: Studio.Options) { self.options = options }

  /// The service that speaks `language`, started if it is not there yet.
  /// - Throws: `AtelierError` when it cannot be started.
  func studio(_ language: Language) async throws -> Studio {
    guard !isClosed else { throw WebError.serviceLost }
    let start = starts[language] ?? begin(language)
    do {
      return try await start.value
    } catch {
      // The next request tries again.
      if starts[language] == start { starts[language] = nil }
      throw error
    }
  }

  private func begin(_ language: Language) -> Task<Studio, any Error> {
    var options = options
    options.locale = language.rawValue
    let start = Task { [options] in try await Studio(options) }
    starts[language] = start
    return start
  }

  /// Ends all of them. What was begun for people goes on as far as the service can.
  func close() async {
    isClosed = true
    await withTaskGroup { group in
      for start in starts.values {
        group.addTask { await (try? start.value)?.close(cancelling: true) }
      }
    }
  }
}
