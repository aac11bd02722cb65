import AtelierProtocol
import Store

/// A picture of a generation whose file was kept.
struct KeptPicture {
  let row: GenerationRow
  let image: GenerationFile
  let file: StoredArtifact

  /// - Throws: `not_found` when the generation has no such picture, or none yet, or it was not kept.
  init(_ index: Int, of row: GenerationRow) throws(AtelierError) {
    guard let image = row.images.first(where: { $0.index == index }) else {
      throw AtelierError.noPicture(index, of: row.id)
    }
    guard let file = image.artifact else {
      throw AtelierError(
        .notFound, "This picture was private, so it was not kept.",
        hint: "The pictures of the private generation “\(row.id.rawValue)” were in the answer to its request.")
    }
    (self.row, self.image, self.file) = (row, image, file)
  }

  /// The matte's file.
  /// - Throws: `not_found` when it has none.
  func matte() throws(AtelierError) -> StoredArtifact {
    guard let matte = row.matte(of: image)?.artifact else {
      throw AtelierError(
        .notFound, "The picture has no matte.", hint: "Ask for it with output.matte when the picture is made.",
        generationId: row.id)
    }
    return matte
  }
}

extension Store {
  /// The generation with this id, of this account; nil is any account.
  /// - Throws: `not_found`, and what the store throws.
  func existingGeneration(_ id: GenerationID, of account: AccountID?) async throws -> GenerationRow {
    guard let row = try await generation(id, account: account) else { throw AtelierError.noGeneration(id.rawValue) }
    return row
  }
}

extension AtelierError {
  static func noGeneration(_ name: String) -> AtelierError {
    AtelierError(.notFound, hint: "There is no generation “\(name)” in this account. Its history lists those it has.")
  }

  /// What is said of a picture that a generation does not have.
  public static func noPicture(_ index: Int, of id: GenerationID) -> AtelierError {
    AtelierError(
      .notFound, "This picture could not be found: it may have been deleted.",
      hint: "The generation “\(id.rawValue)” has no picture \(index): its images list those it has.")
  }
}
