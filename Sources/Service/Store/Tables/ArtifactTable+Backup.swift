/// What a backup consists of.
extension ArtifactTable {
  /// The names of all artifacts, sorted.
  func names() throws -> [String] { try session.values("SELECT name FROM artifact ORDER BY name") }
}

extension GenerationTable {
  /// How many generations there are.
  func count() throws -> Int { try session.value("SELECT count(*) AS count FROM generation") ?? 0 }
}
