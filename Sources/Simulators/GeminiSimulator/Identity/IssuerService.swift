/// The keys of an issuer of identity tokens, whose public ones the simulator serves.
public protocol IssuerKeys: Sendable {
  /// A JSON Web Key Set.
  func keySet() throws -> [UInt8]

  /// Signs with new keys from now on, which the key set then has.
  func rotate() throws
}

/// Answers as the server of an issuer's key set does: `GET /.well-known/jwks.json`.
enum IssuerService {
  /// The name that steps of a scenario have to give for requests for the key set to meet them.
  static let model = "issuer"

  static func keySet(_ request: ReceivedRequest, _ options: SimulatorOptions) throws(HTTPAnswer) -> HTTPAnswer {
    if let response = request.step.response { return response.answer }
    if let error = request.step.fault?.errorAnswer() { return error }
    guard let keys = options.issuerKeys else { throw .json(status: 404, ["error": "The simulator was given no keys."]) }
    do { return .json(try keys.keySet()) } catch { throw .json(status: 500, ["error": .string("\(error)")]) }
  }
}
