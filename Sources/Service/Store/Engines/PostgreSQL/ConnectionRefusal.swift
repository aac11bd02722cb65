/// Why there is no connection. The words of libpq help an operator, but may hold what the connection was asked for.
enum ConnectionRefusal {
  /// - Parameter secrets: what must not be shown, whatever libpq says.
  static func fault(_ reason: String, hiding secrets: [String]) -> PostgreSQLFault {
    let line = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
    let isSafe = secrets.allSatisfy { $0.isEmpty || !line.contains($0) }
    return .lost(isSafe ? line : "the server could not be reached or has refused the user")
  }
}
