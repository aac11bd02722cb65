import GRDB

/// What an error of the database says, for code that knows no engine.
enum SQLiteError {
  /// Whether the database is damaged.
  static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case let error as DatabaseError: error.isDamage
    case SQLFault.damaged: true
    default: false
    }
  }

  /// The words of SQLite; nil for an error of something else.
  static func message(of error: any Error) -> String? {
    (error as? DatabaseError).map { $0.message ?? "\($0.resultCode)" }
  }
}

extension DataDirectory {
  /// What an error of the database says about the machine.
  /// - Returns: nil for an error of something else, and when it says nothing about the machine.
  func storeError(ofSQLite error: any Error) -> StoreError? {
    switch error {
    case let error as DatabaseError: unusable(error)
    case SQLFault.damaged(let detail): unusable(DatabaseError(resultCode: .SQLITE_CORRUPT, message: detail))
    default: nil
    }
  }
}
