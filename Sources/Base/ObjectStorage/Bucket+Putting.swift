import Crypto
import CurlHTTP
import Encodings
import Synchronization

/// How an object is stored, so that it is there with its bytes or nobody believes that it is.
extension Bucket {
  public enum PutOutcome: Sendable, Equatable {
    case stored
    /// An object of this name with the same bytes was there. Also where an earlier try of this call had stored it without
    /// an answer.
    case alreadyThere
  }

  /// Makes sure that the object of this name has these bytes.
  ///
  /// A name stands for its bytes: whoever else puts it puts the same. So the condition that none is there
  /// (`If-None-Match: *`) keeps nobody from losing anything. It saves storing what is there, and shows it: an object with
  /// other bytes is damaged, and replaced. Where a server does not know the condition, all is as safe without it.
  public func put(_ bytes: [UInt8], as name: String, mimeType: String) async throws(BucketError) -> PutOutcome {
    var isRefusedForCondition = false
    if conditions.areUnderstood {
      do throws(BucketError) {
        let order = try putOrder(bytes, as: name, mimeType: mimeType, isConditional: true)
        let answer = try await perform(order) { $0 == 200 || $0 == 412 }
        if answer.status == 200 {
          try await prove(answer, bytes, as: name)
          return .stored
        }
        if try await hasObject(bytes, as: name) { return .alreadyThere }
      } catch where error.mayBeOfACondition {
        isRefusedForCondition = true
      }
    }
    let order = try putOrder(bytes, as: name, mimeType: mimeType, isConditional: false)
    try await prove(try await perform(order) { $0 == 200 }, bytes, as: name)
    if isRefusedForCondition { conditions.noteUnknown() }
    return .stored
  }

  func putOrder(
    _ bytes: [UInt8], as name: String, mimeType: String, isConditional: Bool
  ) throws(BucketError) -> Order {
    var order = Order(
      method: .put, key: try key(name),
      headers: [HTTPHeader("content-type", mimeType)] + (isConditional ? [HTTPHeader("if-none-match", "*")] : []),
      body: bytes)
    order.transfer(bytes: bytes.count, answer: .seconds(30))
    return order
  }

  private func hasObject(_ bytes: [UInt8], as name: String) async throws(BucketError) -> Bool {
    do throws(BucketError) {
      return try await object(name, atMost: bytes.count) == bytes
    } catch where error.kind == .tooLarge {
      return false
    }
  }

  /// - Throws: when the answer to a put is not that of a storage that has these bytes now: everything on the way can answer
  ///   with 200.
  private func prove(_ answer: HTTPResponse, _ bytes: [UInt8], as name: String) async throws(BucketError) {
    let tag = EntityTag(answer)
    if tag == EntityTag(plain: bytes) { return }
    // What is stored encrypted has another tag.
    let seen = try await perform(Order(method: .head, key: try key(name))) { $0 == 200 || $0 == 404 }
    let isThere = seen.status == 200 && seen.header("Content-Length") == String(bytes.count)
    guard isThere, tag == nil || EntityTag(seen) == tag else { throw BucketError(.noStorage, status: answer.status) }
  }
}

/// The header `ETag`, as far as tags are compared.
package struct EntityTag: Equatable {
  package let text: String

  init?(_ response: HTTPResponse) {
    guard let header = response.header("ETag"), !header.isEmpty else { return nil }
    text = header.filter { $0 != "\"" }.lowercased()
  }

  /// That of an object which is stored as it is, on most servers: its MD5.
  package init(plain bytes: [UInt8]) { text = Hexadecimal.text(Insecure.MD5.hash(data: bytes)) }
}

/// Whether a server knows the condition of a put, as far as one of its answers has shown.
final class PutConditions: Sendable {
  private let isUnknown = Atomic(false)

  var areUnderstood: Bool { !isUnknown.load(ordering: .relaxed) }

  func noteUnknown() { isUnknown.store(true, ordering: .relaxed) }
}
