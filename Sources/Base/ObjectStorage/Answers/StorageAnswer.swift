import CurlHTTP

/// Whether an answer is one of an object storage. Its statuses are no proof: proxies, sign-in pages and servers of other
/// kinds have the same.
enum StorageAnswer {
  /// What a storage says in an answer that carries no object: nothing, or XML other than a page.
  static func isPlausible(_ body: [UInt8]) -> Bool {
    if body.isEmpty { return true }
    guard let root = try? XMLElement(parsing: body) else { return false }
    return root.name.lowercased() != "html"
  }

  /// - Throws: when an answer of 404 says that the bucket is what is missing, or is not the storage's.
  static func checkMissing(_ response: HTTPResponse) throws(BucketError) {
    guard response.status == 404 else { return }
    if let code = RefusalCode(in: response), code.meaning?.kind == .noSuchBucket {
      throw BucketError(.noSuchBucket, status: 404, code: code)
    }
    guard isPlausible(response.body) else { throw BucketError(.noStorage, status: 404) }
  }
}
