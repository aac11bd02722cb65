import AtelierProtocol

/// What of a settlement is stored as JSON. It is written before the transaction: nobody who waits for the database has
/// to wait for that too.
struct SettlementColumns: Sendable {
  let places: String?
  let usage: String?
  let timings: String?
  let warnings: String
  let failures: String
  let error: String?

  init(_ settlement: Settlement) throws {
    places = try settlement.places.map { try StoredText.json($0) }
    usage = try settlement.usage.map { try StoredText.json($0) }
    timings = try settlement.timings.map { try StoredText.json($0) }
    warnings = settlement.warnings.isEmpty ? "[]" : try StoredText.json(settlement.warnings)
    failures = settlement.failures.isEmpty ? "[]" : try StoredText.json(settlement.failures)
    error = try settlement.error.map { try StoredText.json(StoredError($0)) }
  }
}
