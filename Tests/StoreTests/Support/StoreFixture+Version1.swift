import AtelierProtocol
import GRDB
import Glibc
import POSIX

@testable import Store

extension StoreFixture {
  /// What version 1 left: a generation that ended with an image, a thumbnail and its prepared photo, a private one, one
  /// that is still running, and an idempotency key.
  static let version1Rows = """
    INSERT INTO artifact VALUES ('\(image(1))', 'image/png', 1, 1), ('\(image(2))', 'image/png', 1, 1),
      ('\(image(3))', 'image/png', 1, 1);
    INSERT INTO generation (
      id, account, owner, recipe, state, phase, message, sequence, created, started, finished, request, prompt,
      params_hash, idempotency_key, is_private, is_detached, is_requeueable, thumbnail, credits_charged, usage,
      cost_usd, error)
    VALUES
      ('ended', 'anna', 'own_old', 'create', 'succeeded', 'saving', 'Done.', 7, 1000, 1001, 1002, '{"prompt":"a hat"}',
       'a hat', '\(hash)', 'key', 0, 0, 0, '\(image(2))', 1, '{"inputTokens":1,"outputTokens":2,"costUsd":0.5}', 0.5,
       NULL),
      ('private', 'anna', 'own_old', 'create', 'failed', 'queued', '', 0, 1003, NULL, 1004, '{}', NULL, '\(hash)', NULL,
       1, 0, 0, NULL, 0, NULL, NULL, '{"kind":"offline","message":"No network.","details":{"a":1}}'),
      ('running', 'bert', 'own_old', 'create', 'running', 'preparing', '', 1, 1005, 1006, NULL, '{}', 'x', '\(hash)',
       NULL, 0, 0, 0, NULL, 0, NULL, NULL, NULL);
    INSERT INTO idempotency VALUES ('anna', 'key', '\(hash)', 'ended', 1000);
    INSERT INTO prepared VALUES ('prep_1', 'anna', 'ended', '\(image(3))', 8, 9, 1000, 9000000000000000);
    """

  /// An image of the generation that ended; its row cannot be written once that has.
  static let version1Image = """
    UPDATE generation SET state = 'running', finished = NULL WHERE id = 'ended';
    INSERT INTO generation_image VALUES
      ('ended', 0, 'front', '\(digest(1))', 'image/png', 1, '\(image(1))', 4, 3, NULL);
    UPDATE generation SET state = 'succeeded', finished = 1002 WHERE id = 'ended';
    """

  static let hash = String(repeating: "0b", count: 32)

  static func digest(_ number: UInt8) -> String { StoredArtifact.digest([number]) }
  static func image(_ number: UInt8) -> String { "\(digest(number)).png" }

  /// Makes the data directory as version 1 left it.
  /// - Returns: a connection as a process of that version has it.
  @discardableResult
  func makeVersion1() throws -> DatabaseQueue {
    try directory.prepare()
    for number in 1...3 as ClosedRange<UInt8> {
      let name = Self.image(number)
      _ = try FileSystem.makeDirectory(directory.firstFolder(ofArtifact: name))
      _ = try FileSystem.makeDirectory(directory.folder(ofArtifact: name))
      try FileSystem.writeDurably([number], to: directory.path(ofArtifact: name))
    }
    let wait = BusyWait(random: { [self] in next() })
    let queue = try DatabaseQueue(
      path: directory.database, configuration: ConnectionSettings.configuration(readonly: false, wait: wait))
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try Migration.apply([Schema.version1], from: 0, to: database)
      // What has ended cannot be changed, so it is written before the trigger is there.
      let trigger = try String.fetchOne(
        database, sql: "SELECT sql FROM sqlite_schema WHERE name = 'generation_final_stays'")
      try database.execute(sql: "DROP TRIGGER generation_final_stays")
      try database.execute(sql: Self.version1Rows + Self.version1Image)
      try database.execute(sql: trigger ?? "")
    }
    chmod(directory.database, 0o600)
    return queue
  }
}
