import AtelierProtocol
import Engine
import JSON
import Providers
import Synchronization

/// A model of words that says what a test tells it to, turn by turn.
public final class ScriptedTextProvider: TextProvider {
  /// Given a request and how many there were before, the model's turn.
  public typealias Script = @Sendable (TextRequest, Int) async throws -> TextAnswer

  public let id: ProviderID
  public let maximumConcurrentImages = 4
  public let profile: ProviderProfile
  private let script: Script
  private let sends: Bool
  private let asked = Mutex<[TextRequest]>([])

  /// - Parameter sends: whether it reports that it sends each request.
  public init(id: ProviderID = "text-provider", creditsPerImage: Int = 1, sends: Bool = true, script: @escaping Script) {
    self.id = id
    self.sends = sends
    self.script = script
    profile = ProviderProfile(
      title: "Text provider", recipes: [.places], models: [], textModels: ["words-1"], isLocal: false,
      creditsPerImage: creditsPerImage)
  }

  /// One that calls for these names, all in one turn, and then lists what it is given.
  public convenience init(lookingUp names: [String], thenListing list: @escaping @Sendable () -> String) {
    self.init { request, _ in
      if case .user? = request.messages.last { return Self.calls(names) }
      return Self.says(list())
    }
  }

  /// What it was asked, in order.
  public var requests: [TextRequest] { asked.withLock { $0 } }

  public func availability() async -> ProviderAvailability { ProviderAvailability(available: true) }
  public func check(_ request: ImageRequest) throws(AtelierError) {}

  public func makeImage(
    _ request: ImageRequest, progress: @escaping @Sendable (ImageProgress) -> Void
  ) async throws -> ProviderImage { throw AtelierError(.unsupportedByProvider, provider: id) }

  public func answer(_ request: TextRequest, sending: @escaping @Sendable () -> Void) async throws -> TextAnswer {
    let turn = asked.withLock { asked in
      asked.append(request)
      return asked.count - 1
    }
    if sends { sending() }
    return try await script(request, turn)
  }

  private static let usage = Usage(inputTokens: 100, outputTokens: 10, costUsd: 0.001)

  public static func says(_ text: String) -> TextAnswer {
    TextAnswer(text: text, calls: [], turn: ["says": .string(text)], model: "words-1", usage: usage)
  }

  public static func calls(_ names: [String], location: String = "Austin") -> TextAnswer {
    calls(names.map { ["name": .string($0), "location": .string(location)] })
  }

  public static func calls(_ arguments: [JSONObject?], name: String = "search_location") -> TextAnswer {
    TextAnswer(
      text: "", calls: arguments.map { FunctionCall(id: nil, name: name, arguments: $0) }, turn: ["calls": true],
      model: "words-1", usage: usage)
  }
}

/// Lookups that a test answers.
public struct ScriptedLocationSource: LocationSource {
  public let kind: PlaceSource
  private let answer: @Sendable (LocationQuery) async throws -> [FoundPlace]

  public init(
    kind: PlaceSource = .host, answer: @escaping @Sendable (LocationQuery) async throws -> [FoundPlace]
  ) {
    self.kind = kind
    self.answer = answer
  }

  /// One that finds the places whose names the query has.
  public init(_ places: [FoundPlace]) {
    self.init { query in places.filter { query.text.contains($0.name) } }
  }

  public func places(for query: LocationQuery) async throws -> [FoundPlace] { try await answer(query) }
}
