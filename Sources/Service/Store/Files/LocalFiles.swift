/// Where this machine has the files that rows name: all of them in a folder, or those of a bucket that are in the cache.
struct LocalFiles: Sendable {
  let directory: DataDirectory
  /// Nil where the files are in a folder.
  let cache: ArtifactCache?

  /// - Parameter bytes: what the row says of its size.
  /// - Returns: the absolute path; nil for a file of the bucket that is not in the cache.
  func path(of name: String, bytes: Int) -> String? {
    guard let cache else { return directory.path(ofArtifact: name) }
    return cache.has(name, bytes: bytes) ? cache.path(of: name) : nil
  }

  /// What an operator is told of where the files are.
  var folder: String { cache == nil ? directory.artifacts : "the bucket" }

  /// What an operator is told of where a file is.
  func place(of name: String) -> String {
    cache == nil ? directory.path(ofArtifact: name) : "The object \(S3Files.key(name)) of the bucket"
  }
}
