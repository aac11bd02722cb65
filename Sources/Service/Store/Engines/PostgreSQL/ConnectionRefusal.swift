/// Why there is no connection. The words of libpq help an operator, but may hold what the connection was asked for.
enum ConnectionRefusal {
  /// - Parameters:
  ///   - reason: libpq's words.
  ///   - secrets: what must not be shown, whatever libpq says.
  static func fault(_ reason: String, hiding secrets: [String]) -> PostgreSQLFault {
    let line = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
    let isSafe = secrets.allSatisfy { $0.isEmpty || !line.contains($0) }
    let answer = answer(in: reason)
    var fault = PostgreSQLFault.lost(
      isSafe ? answer?.words ?? line : "the server could not be reached or has refused the user")
    (fault.state, fault.isRefusal) = (answer?.state, true)
    return fault
  }

  /// What the server itself has said: the words before its code are libpq's or its own, in whatever language.
  private static func answer(in reason: String) -> (state: String, words: String)? {
    reason.firstMatch(of: /:  ([0-9A-Z]{5}): ([^\r\n]*)/).map { (String($0.output.1), String($0.output.2)) }
  }
}
