import Testing

@testable import Store

/// A statement whose text an engine understands may still fail when it runs, as may the rules of the schema behind it.
@Suite("The functions of the store")
struct EveryFunctionTests {
  @Test(
    "the functions of the store all run on PostgreSQL, each in all of its ways",
    .enabled(if: TestDatabase.isUsed, "On SQLite the statements are looked at as they run."))
  func all() async throws {
    try await EveryStatement(fixture: StoreFixture(), trace: nil).run()
  }
}
