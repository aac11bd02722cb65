import AtelierProtocol
import ObjectStorage
import POSIX

extension S3Files {
  func read(_ artifact: StoredArtifact) async throws -> [UInt8] {
    let name = artifact.name
    guard DataDirectory.isArtifactName(name) else { throw AtelierError(.notFound) }
    if let bytes = try? await threads.run(isUrgent: false, { try cache.bytes(of: name) }) { return bytes }
    let bytes = try await fetch(artifact)
    return try await threads.run(isUrgent: false) {
      _ = try? cache.keep(bytes, as: name)
      return bytes
    }
  }

  /// The bytes of an object, compared with the digest in its name.
  func fetch(_ artifact: StoredArtifact) async throws -> [UInt8] {
    let name = artifact.name
    guard DataDirectory.isArtifactName(name) else { throw AtelierError(.notFound) }
    do throws(BucketError) {
      // What a row says of its size is what was put; more would be another file.
      guard let bytes = try await bucket.object(Self.key(name), atMost: artifact.bytes) else { throw BucketError(.badName) }
      let isWhole = try? await threads.run(isUrgent: false) { StoredArtifact.digest(bytes) == artifact.sha256 }
      if isWhole == true { return bytes }
    } catch where error.kind == .badName {
      throw AtelierError.fileDeleted
    } catch where error.kind == .archived {
      throw AtelierError.fileArchived(error.description)
    } catch where error.kind == .tooLarge {
    } catch {
      throw met(error)
    }
    // What is not what was stored may be a page of something on the way.
    do throws(BucketError) { try await bucket.checkWay() } catch { throw met(error) }
    throw AtelierError.fileAltered
  }

  /// The error of a read. That nobody waits for it any more says nothing of the bucket, and nothing is noted then.
  private func met(_ error: BucketError) -> any Error {
    if error.kind == .cancelled { return AtelierError(.storageUnavailable) }
    reach.noteFailure()
    return StoreError(error)
  }

  func link(to artifact: StoredArtifact, forSeconds seconds: Int) async throws -> FileLink? {
    do throws(BucketError) {
      let link = try await bucket.presignedURL(of: Self.key(artifact.name), forSeconds: seconds)
      return FileLink(url: SecretLink(link.url), expires: Timestamp(milliseconds: Int64(link.endsAt) * 1000))
    } catch {
      throw StoreError(error)
    }
  }

  // MARK: Sweeping

  /// The bucket is not listed for that: everything that the dead have left has a note, or is being removed.
  func foldersToSweep() async throws -> [String] {
    Set(try await leftByTheDead().map { String($0.prefix(2)) }).sorted()
  }

  func leftovers(in folder: String) async throws -> [String] {
    try await leftByTheDead().filter { $0.hasPrefix(folder) }
  }

  func hasLeftovers() async throws -> Bool {
    if try await !leftByTheDead().isEmpty { return true }
    return try await engine.read { session in
      try session.fileNotes.processes().contains { try !isAlive($0) }
    }
  }

  private func leftByTheDead() async throws -> [String] {
    try await engine.read { session in
      var names: Set<String> = []
      for process in try session.fileNotes.processes() where try !isAlive(process) {
        names.formUnion(try session.fileNotes.notes(of: process).map(\.name))
      }
      for removal in try session.fileNotes.removals() where try !isRemoving(removal.name, removal.process) {
        names.insert(removal.name)
      }
      let known = try session.artifacts.known(among: Array(names))
      return names.subtracting(known).sorted()
    }
  }

  /// Objects, notes and rows are looked up in this order: an object that becomes an artifact meanwhile has its row by the
  /// time its note is gone.
  func unreferenced() async throws -> [String] {
    let found: [String]
    do throws(BucketError) {
      found = try await bucket.objects(beginningWith: "").map(\.name)
    } catch {
      throw StoreError(error)
    }
    var names = found.compactMap { key in
      key.split(separator: "/").last.map(String.init).flatMap { DataDirectory.isArtifactName($0) ? $0 : nil }
    }[...]
    var unreferenced: [String] = []
    while !names.isEmpty {
      let some = Array(names.prefix(1000))
      names = names.dropFirst(some.count)
      let noted = Set(try await engine.read { try $0.fileNotes.processes(noting: some).map(\.name) })
      let known = try await engine.read { try $0.artifacts.known(among: some) }
      unreferenced += some.filter { !noted.contains($0) && !known.contains($0) }
    }
    return unreferenced
  }

  func forgetNotes(ofTheDead locks: Set<String>) async throws {
    try await engine.writes.run { session in
      for process in try session.fileNotes.processes() where try !isAlive(process) {
        try session.fileNotes.delete(of: process)
      }
    }
    try await threads.run(isUrgent: false) { try directory.removeTemporaryFiles(ofTheDead: locks, but: process) }
  }

  /// Removes from the cache what no row names any more: pictures that were deleted on another machine.
  func tidy() async throws {
    var names = try await threads.run(isUrgent: false) { try cache.names() }[...]
    while !names.isEmpty {
      let some = Array(names.prefix(1000))
      names = names.dropFirst(some.count)
      let noted = Set(try await engine.read { try $0.fileNotes.processes(noting: some).map(\.name) })
      let known = try await engine.read { try $0.artifacts.known(among: some) }
      let gone = some.filter { !noted.contains($0) && !known.contains($0) }
      try await threads.run(isUrgent: false) { for name in gone { try cache.remove(name) } }
    }
  }
}

extension StoreError {
  /// What an error of the bucket means for what is stored there.
  init(_ error: BucketError) {
    self.init(
      error.kind == .full ? .bucketFull : .bucketUnusable, error.description, isPermanent: error.persistence == .always)
  }
}
