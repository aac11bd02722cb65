import CurlHTTP
import Encodings

/// An object in a list.
public struct ListedObject: Sendable, Equatable {
  /// Without the prefix of the bucket's address.
  public var name: String
  public var bytes: Int

  public init(name: String, bytes: Int) { (self.name, self.bytes) = (name, bytes) }
}

/// A part of a list.
public struct ObjectPage: Sendable, Equatable {
  public var objects: [ListedObject]
  /// What the next page follows; nil when this is the last one.
  public var next: String?
}

extension Bucket {
  /// The objects whose names begin with `start`, by their names: one page of them.
  /// - Parameters:
  ///   - token: ``ObjectPage/next`` of the page before.
  ///   - most: at most so many; servers give 1,000 at most.
  public func page(
    beginningWith start: String, after token: String? = nil, atMost most: Int = 1000
  ) async throws(BucketError) -> ObjectPage {
    let query = [
      CanonicalRequest.QueryItem("list-type", "2"), .init("encoding-type", "url"), .init("max-keys", String(most)),
      .init("prefix", address.prefix + start),
    ]
    let order = Order(method: .get, query: query + (token.map { [.init("continuation-token", $0)] } ?? []))
    let page = try ListAnswer.page(try await perform(order) { $0 == 200 }, prefix: address.prefix, start: start)
    // A server that always gives the same token would be asked for ever.
    if let next = page.next, next == token { throw BucketError(.unexpected, status: 200) }
    return page
  }

  /// All objects whose names begin with `start`, by their names.
  public func objects(beginningWith start: String) async throws(BucketError) -> [ListedObject] {
    var page = try await page(beginningWith: start)
    var objects = page.objects
    var emptyPages = 0
    while let next = page.next {
      page = try await self.page(beginningWith: start, after: next)
      emptyPages = page.objects.isEmpty ? emptyPages + 1 : 0
      // Each page must go on where the one before ended, and lead to an end.
      let goesOn = page.objects.first.map { Self.isBefore(objects.last, $0) } ?? (emptyPages < 100)
      guard goesOn else { throw BucketError(.unexpected, status: 200) }
      objects += page.objects
    }
    return objects
  }

  private static func isBefore(_ first: ListedObject?, _ second: ListedObject) -> Bool {
    first.map { $0.name.utf8.lexicographicallyPrecedes(second.name.utf8) } ?? true
  }
}

/// What a list's answer must be like.
enum ListAnswer {
  /// - Throws: ``BucketError/Kind/unexpected`` for anything else, such as an object that was not asked for.
  static func page(_ response: HTTPResponse, prefix: String, start: String) throws(BucketError) -> ObjectPage {
    let refusal = BucketError(.unexpected, status: response.status)
    guard let root = try? XMLElement(parsing: response.body), root.name == "ListBucketResult",
      let isTruncated = flag(root.child("IsTruncated")?.text)
    else { throw refusal }
    let isEncoded = root.child("EncodingType")?.text == "url"
    var objects: [ListedObject] = []
    for content in root.children("Contents") {
      guard let key = content.child("Key").flatMap({ text($0.text, isEncoded: isEncoded) }),
        let bytes = content.child("Size").flatMap({ Int($0.text) }), bytes >= 0, begins(key, with: prefix + start)
      else { throw refusal }
      let name = String(decoding: key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      objects.append(ListedObject(name: name, bytes: bytes))
    }
    let next = root.child("NextContinuationToken")?.text
    guard isTruncated == (next?.isEmpty == false) || !isTruncated else { throw refusal }
    return ObjectPage(objects: objects, next: isTruncated ? next : nil)
  }

  /// By bytes: to Swift, a letter with its accent apart is the same letter.
  private static func begins(_ text: String, with start: String) -> Bool { text.utf8.starts(with: start.utf8) }

  private static func flag(_ text: String?) -> Bool? {
    switch text {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// In this encoding a blank may be a plus; a plus itself never is one.
  private static func text(_ text: String, isEncoded: Bool) -> String? {
    if !isEncoded { return text }
    let bytes = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(validating: PercentEncoding.decoded(bytes[...]), as: UTF8.self)
  }
}
