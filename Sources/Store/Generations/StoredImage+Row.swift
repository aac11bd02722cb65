import AtelierProtocol
import GRDB

extension SettledImage {
  /// The image as it is read back once it is written.
  func stored(isPrivate: Bool, in directory: DataDirectory) -> StoredImage {
    let artifact = source.artifact
    return StoredImage(
      index: index, view: view.map(StoredText.readable), sha256: artifact.sha256, mimeType: artifact.mimeType,
      bytes: artifact.bytes, width: width, height: height, outputPath: outputPath.map(StoredText.readable),
      artifact: isPrivate
        ? nil
        : StoredArtifact(name: artifact.name, mimeType: artifact.mimeType, bytes: artifact.bytes, in: directory))
  }
}

extension StoredImage {
  func insert(into database: Database, generation: GenerationID) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO generation_image (
          generation_id, position, view, sha256, mime_type, bytes, artifact, width, height, output_path)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      generation.rawValue, index, view, sha256, mimeType, bytes, artifact?.name, width, height, outputPath,
    ])
  }
}
