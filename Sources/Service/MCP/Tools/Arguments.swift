import AtelierProtocol
import JSON

/// The arguments of a tool call, checked: what means nothing counts as absent.
struct Arguments: Sendable {
  private let values: JSONObject

  /// - Throws: `wrong_recipe_input` with a sentence that names the argument and what it must be.
  init(_ given: JSONObject, for tool: Tool) throws(AtelierError) {
    var values = JSONObject()
    for (name, value) in given where !value.isNull {
      guard let parameter = tool.parameters.first(where: { $0.name == name }) else {
        let known = tool.parameters.isEmpty ? "none" : tool.parameters.map(\.name).joined(separator: ", ")
        throw AtelierError(
          .wrongRecipeInput,
          "\(tool.name) has no argument \(JSONValue.string(String(name.prefix(80))).serializedText). It takes: \(known).")
      }
      guard let meaning = parameter.meaning(of: value) else { continue }
      guard parameter.accepts(meaning) else { throw parameter.problem }
      values[name] = meaning
    }
    if let missing = tool.parameters.first(where: { $0.isRequired && values[$0.name] == nil }) { throw missing.problem }
    self.values = values
  }

  func text(_ name: String) -> String? { values[name]?.string }
  func integer(_ name: String) -> Int? { values[name]?.int64.map(Int.init) }

  /// The text of a required argument, which is there once the arguments are checked.
  func required(_ name: String) -> String { text(name) ?? "" }

  func generation(_ name: String = "generation") -> GenerationID { GenerationID(rawValue: required(name)) }
}
