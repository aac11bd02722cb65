import AtelierProtocol
import JSON

/// What the tools say of an error: a sentence that the model can act on. Where the sentence for other hosts recommends what
/// no tool has, it names what the tools have instead.
struct ToolSentence: Sendable {
  let text: String

  init(_ error: AtelierError) {
    self.init(error.kind, error.message, error.details)
  }

  /// - Parameter error: as it is recorded with a generation.
  init(_ error: ErrorBody) {
    self.init(ErrorKind(rawValue: error.data.kind), error.message.text, error.data.details)
  }

  private init(_ kind: ErrorKind?, _ message: String, _ details: JSONObject) {
    text =
      switch kind {
      case .noApiKey, .invalidApiKey:
        message
          + " The host of this server does not pass on the variables of a shell: the key belongs into the credentials "
          + "store, or into the env block of the host's configuration."
      case .timedOut where details[Self.limit] != nil:
        "This took longer than the \(Self.seconds(details[Self.limit])) that a call of a tool may take. Try again, "
          + "with a smaller count or another provider if it happens again."
      case .templateNotFound:
        "There is no hairstyle template \(details["templateId"]?.serializedText ?? "of this id"): choose one of "
          + "list_hairstyles, or describe it in description."
      case .wrongRecipeInput where details["recipe"] == .string(Recipe.hairstyle.rawValue) && details["member"] == "/prompt":
        "Say which hairstyle: with hairstyle, description or reference."
      case .wrongRecipeInput where details["member"] == "/output/count":
        "All views are always four pictures: leave count out."
      case .notFound: message + " list_generations lists what there is."
      case _ where details["reason"] == AtelierError.noLocationSource.details["reason"]:
        "Places cannot be looked up here, because no geocoder is configured. Tell the person to name one in Atelier's "
          + "configuration file, as geocoder.baseUrl, and to start this server with it. Do not name places from memory "
          + "instead."
      // A model that helps somebody who runs Atelier for themselves can use the hint as well.
      default: details["hint"]?.string.map { "\(message) \($0)" } ?? message
      }
  }

  /// The detail of `timed_out` that says what was allowed, where a host may allow more.
  private static let limit = "timeoutMs"

  private static func seconds(_ milliseconds: JSONValue?) -> String {
    milliseconds?.int64.map { "\(max(1, $0 / 1_000)) s" } ?? "time"
  }
}

extension ToolAnswer {
  /// The failure of a tool.
  init(failure error: AtelierError, _ settings: MCPSettings) {
    let place = error.details[AtelierError.path] == nil ? "" : " Relative paths start in “\(settings.workingDirectory)”."
    self.init(text: ToolSentence(error).text + place, isError: true)
  }
}
