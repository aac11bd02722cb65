import ArgumentParser
import Imaging

/// `atelier models`: the networks that the operator brings along.
struct ModelsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "Add networks of your own to headshots on this device, list and remove them.",
    discussion: """
      Headshots need none: the built-in networks are part of Atelier. A network for portraits or matting, as a .tflite file,
      can be one voice more beside them, or make the matte in their place. Nothing is fetched but by `models add --url`.

        atelier models add modnet --file modnet.tflite --licence Apache-2.0
        atelier models list
        atelier models remove modnet
      """,
    subcommands: [ModelsAddCommand.self, ModelsListCommand.self, ModelsRemoveCommand.self])
}

/// `atelier models list`.
struct ModelsListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the networks that were added. `atelier doctor` tries them as well.")

  @Flag(help: "Print the entries as JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let contents = try NetworkCatalogue.reporting(asJSON: json) { try NetworkCatalogue(common.settings).contents() }
    for problem in contents.problems { Console.tell(problem) }
    if json { return try Console.printJSON(contents.networks) }
    for network in contents.networks { Console.printEntry(network.lines) }
    if contents.networks.isEmpty { Console.tell("No models were added. Headshots are made with the built-in networks.") }
  }
}

/// `atelier models remove`.
struct ModelsRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a network that was added.",
    discussion: "Services that run do without it from the next headshot on.")

  @Argument(help: "Its name.", completion: .models)
  var name: String

  @Flag(help: "Print the result as JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws { try ModelsAddCommand.checkName(name) }

  func run() async throws {
    let isRemoved = try NetworkCatalogue.reporting(asJSON: json) { try NetworkCatalogue(common.settings).remove(name) }
    if json { return try Console.printJSON(["removed": isRemoved]) }
    print(isRemoved ? "“\(name)” is removed." : "There is no model “\(name)”.")
  }
}

extension NetworkCatalogue {
  init(_ settings: CommonSettings) throws {
    self.init(path: try EngineAssembly.dataDirectory(settings).models)
  }

  /// Does something with the catalogue; a refusal is printed as well if the answer is to be JSON.
  /// - Throws: `CommandFailure`.
  static func reporting<Value>(asJSON: Bool, _ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch {
      throw try failure(error, asJSON: asJSON)
    }
  }

  static func failure(_ error: any Error, asJSON: Bool) throws -> CommandFailure {
    guard let refusal = error as? NetworkRefusal else { return CommandFailure(error) }
    if asJSON { try Console.printJSON(refusal) }
    return CommandFailure(sentence: refusal.sentence)
  }
}

extension OperatorNetwork {
  /// What it does, for a person.
  var description: String {
    let part = role == .vote ? "A vote beside the built-in networks" : "Makes the matte in place of the built-in networks"
    return "\(part); looks at \(inputSide) × \(inputSide) pixels."
  }

  /// The entry as lines of a list.
  fileprivate var lines: [String] {
    [name, "  \(description)", "  Values \(values.rawValue), output \(output.rawValue); \(Megabytes(bytes))"]
      + ["  Licence: \(licence.onOneLine)", "  From: \(source.onOneLine)", "  SHA-256: \(sha256)"]
  }
}
