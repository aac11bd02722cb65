import AtelierProtocol
import JSON
import JSONRPC
import Logging

/// Writes into the log that a request has ended, with what an operator asks about it: never params or results.
struct RequestLog: Sendable {
  private let method: String
  private let account: String?
  private let startMs: Int64
  private let logger: Logger
  private let uptimeMs: @Sendable () -> Int64

  /// - Parameter account: the account the connection is confined to.
  init(_ request: Request, account: AccountID?, logger: Logger, uptimeMs: @escaping @Sendable () -> Int64) {
    method = request.method
    self.account = account?.rawValue ?? Self.name(request.params["account"])
    self.logger = logger
    self.uptimeMs = uptimeMs
    startMs = uptimeMs()
  }

  /// To be called once.
  func ended(_ result: Result<JSONValue, any Error>) {
    switch result {
    case .success(let answer):
      logger.info("Answered", metadata: facts(generation: answer["generationId"], account: answer["account"]))
    case .failure(let error):
      let data = (error as? ResponseError)?.data
      let kind: Logger.Metadata = ["error": "\(Self.kind(of: error))"]
      logger.info("Failed", metadata: facts(generation: data?["generationId"]).merging(kind) { $1 })
    }
  }

  private func facts(generation: JSONValue?, account answered: JSONValue? = nil) -> Logger.Metadata {
    var facts: Logger.Metadata = ["method": "\(method)", "durationMs": "\(uptimeMs() - startMs)"]
    if let generation = Self.name(generation) { facts["generationId"] = "\(generation)" }
    if let account = Self.name(answered) ?? account { facts["account"] = "\(account)" }
    return facts
  }

  /// The kind of the error; the code of one that has no kind.
  private static func kind(of error: any Error) -> String {
    if error is CancellationError { return "cancelled" }
    guard let error = error as? ResponseError else { return ErrorKind.internal.rawValue }
    return error.data?["kind"]?.string ?? "\(error.code)"
  }

  /// A name no longer than names may be: a host could send anything in its place.
  private static func name(_ value: JSONValue?) -> String? {
    value?.string.flatMap { $0.unicodeScalars.count <= AccountID.maximumLength ? $0 : nil }
  }
}
