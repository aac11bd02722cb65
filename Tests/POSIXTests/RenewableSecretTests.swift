import Support
import Synchronization
import Testing

@testable import POSIX

@Suite("A secret that may change")
struct RenewableSecretTests {
  private struct Lack: Error {}

  /// Where the secret comes from, and the time.
  private final class World: Sendable {
    let value = Mutex<String?>("one")
    /// When each value ends.
    let ends = Mutex<[String: Int64]>([:])
    let reads = Atomic<Int>(0)
    let clock = Atomic<Int64>(1_000_000)

    func secret(files: [String] = []) -> RenewableSecret<String> {
      RenewableSecret(
        files: files, end: { value in self.ends.withLock { $0[value] } }, nowMs: { self.clock.load(ordering: .relaxed) },
        uptimeMs: { self.clock.load(ordering: .relaxed) }
      ) {
        self.reads.add(1, ordering: .relaxed)
        guard let value = self.value.withLock({ $0 }) else { throw Lack() }
        return value
      }
    }

    func set(_ value: String?) { self.value.withLock { $0 = value } }
    func pass(_ milliseconds: Int64) { clock.add(milliseconds, ordering: .relaxed) }
    var count: Int { reads.load(ordering: .relaxed) }
  }

  private let world = World()

  @Test("a secret that nothing says anything of is read once")
  func once() throws {
    let secret = world.secret()
    for _ in 0..<3 {
      #expect(try secret.current().value == "one")
      world.pass(1_000_000)
    }
    #expect(world.count == 1)
    #expect(try RenewableSecret(constant: 7).current().value == 7)
  }

  @Test("a secret is read again when one of its files changes, appears or is replaced, and once for each change")
  func files() throws {
    let folder = try TemporaryDirectory()
    let (path, other) = (folder.path("secret"), folder.path("other"))
    let secret = world.secret(files: [path, other])
    _ = try secret.current()
    let changes: [() throws -> Void] = [
      { try FileSystem.writeDurably([1], to: path) }, { try FileSystem.writeDurably([1], to: other) },
      { try FileSystem.replace(path, with: [2], temporary: "\(path).new", permissions: 0o600) },
      { try FileSystem.remove(other) },
    ]
    for (number, change) in changes.enumerated() {
      try change()
      world.set("\(number)")
      for _ in 0..<3 { #expect(try secret.current().value == "\(number)") }
      #expect(world.count == number + 2)
    }
  }

  @Test("a refused value is read again at once, one that stays the same only after a pause, and another one is given")
  func refused() throws {
    let secret = world.secret()
    let first = try secret.current()
    #expect(secret.renewed(after: first) == nil && world.count == 2)
    for _ in 0..<5 { #expect(secret.renewed(after: first) == nil) }
    #expect(world.count == 2)
    world.set("two")
    #expect(secret.renewed(after: first) == nil)
    world.pass(RenewableSecret<String>.pauseMs)
    let second = try #require(secret.renewed(after: first))
    #expect(second.value == "two" && world.count == 3)
    // Whoever still had the first one gets the second without another look.
    #expect(secret.renewed(after: first)?.value == "two" && world.count == 3)
    world.set("three")
    #expect(secret.renewed(after: second)?.value == "three")
  }

  @Test("a secret is read again from shortly before its end, with pauses, until it ends later")
  func ends() throws {
    let secret = world.secret()
    let end = world.clock.load(ordering: .relaxed) + 3_600_000
    world.ends.withLock { $0 = ["one": end, "two": end + 3_600_000] }
    _ = try secret.current()
    world.pass(3_600_000 - RenewableSecret<String>.leadMs - 1)
    #expect(try secret.current().value == "one" && world.count == 1)
    world.pass(1)
    for _ in 0..<3 { #expect(try secret.current().value == "one") }
    #expect(world.count == 2)
    world.set("two")
    world.pass(RenewableSecret<String>.pauseMs)
    for _ in 0..<3 { #expect(try secret.current().value == "two") }
    #expect(world.count == 3)
  }

  @Test("a value stays in use while nothing else can be read, which is tried again after a pause")
  func unreadable() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("secret")
    let secret = world.secret(files: [path])
    world.set(nil)
    #expect(throws: Lack.self) { try secret.current() }
    world.set("one")
    #expect(try secret.current().value == "one")
    #expect(secret.failure == nil)
    world.set(nil)
    try FileSystem.writeDurably([1], to: path)
    let kept = try secret.current()
    #expect(kept.value == "one" && secret.failure is Lack)
    #expect(secret.renewed(after: kept) == nil)
    let count = world.count
    #expect(try secret.current().value == "one" && world.count == count)
    world.set("two")
    world.pass(RenewableSecret<String>.pauseMs)
    #expect(try secret.current().value == "two")
    #expect(secret.failure == nil)
  }
}
