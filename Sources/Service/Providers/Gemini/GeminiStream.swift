import CurlHTTP
import JSON

/// An answer that came in pieces although it was asked for as one, as gateways send it that only know streams.
enum GeminiStream {
  /// The body with the objects of its events in an array; any other body as it is.
  static func unified(_ body: [UInt8]) -> [UInt8] {
    let begun = body.drop { [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) }
    guard ["data:", "event:", "id:", "retry:", ":"].contains(where: { begun.starts(with: $0.utf8) }) else { return body }
    var parser = ServerSentEventParser(mostBytes: body.count + 1)
    guard var events = try? parser.append(Array(begun)) else { return body }
    if let last = try? parser.finish(), isWhole(last) { events.append(last) }
    let objects = events.filter { $0.data != "[DONE]" }.map { Array($0.data.utf8) }
    return Array("[".utf8) + objects.joined(separator: ",".utf8) + Array("]".utf8)
  }

  /// Whether the last event of a stream is not cut off.
  private static func isWhole(_ event: ServerSentEvent) -> Bool {
    AnswerBody(Array(event.data.utf8), maximumValues: 200_000) != nil
  }

  /// One object of the pieces: what they say of a candidate together, and the last of what they say of the whole.
  /// - Returns: nil for other elements.
  static func object(of pieces: [JSONValue]) -> JSONObject? {
    let objects = pieces.compactMap(\.object)
    guard !objects.isEmpty, objects.count == pieces.count else { return nil }
    guard objects.count > 1 else { return objects[0] }
    var whole: JSONObject = [:]
    var candidates: [(index: Int64, json: JSONObject)] = []
    for object in objects {
      for (name, value) in object where name != "candidates" { whole[name] = value }
      for candidate in (object["candidates"]?.array ?? []).compactMap(\.object) {
        let index = candidate["index"]?.statedInteger ?? 0
        if let place = candidates.firstIndex(where: { $0.index == index }) {
          candidates[place].json = joined(candidates[place].json, candidate)
        } else {
          candidates.append((index, candidate))
        }
      }
    }
    if !candidates.isEmpty { whole["candidates"] = .array(candidates.map { .object($0.json) }) }
    return whole
  }

  private static func joined(_ one: JSONObject, _ next: JSONObject) -> JSONObject {
    var whole = one
    for (name, value) in next where name != "content" && value.isStated { whole[name] = value }
    var content = one["content"]?.object ?? [:]
    for (name, value) in next["content"]?.object ?? [:] where name != "parts" { content[name] = value }
    content["parts"] = .array([one, next].flatMap { $0["content"]?["parts"]?.array ?? [] })
    whole["content"] = .object(content)
    return whole
  }
}
