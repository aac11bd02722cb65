/// What a database may say, whatever its engine.
enum SQLFault: Error {
  /// The stored data contradict themselves.
  case damaged(String)
}
