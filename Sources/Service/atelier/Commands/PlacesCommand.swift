import ArgumentParser
import AtelierProtocol
import Engine
import Glibc
import JSON
import POSIX
import Synchronization

/// `atelier places PROMPT`: a list of places that exist, for a person at a terminal or a script.
struct PlacesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places",
    abstract: "Find places that exist, each looked up.",
    discussion: """
      A model names places, and the geocoder of the configuration looks each of them up; what it does not find is left
      out. The words go to the provider of the model, the names of places to the geocoder. Progress goes to standard
      error.

      With --from, they are looked up in a list of your own instead: a CSV file whose first line names the columns name,
      streetAddress1, streetAddress2, city, state, postalCode, country, latitude and longitude, of which only name is
      required in each row, and a position or a part of the address. The model is sent the rows, with all their columns, and
      chooses among them; of a list of more than 30 kB, it is told nothing and has to guess the names.

        atelier places "Top coffee shops in Austin"
        atelier places "our shops with parking" --from shops.csv
        atelier places "museums for children" --near 19.43,-99.13 --language es-MX --csv > museums.csv
      """)

  @Argument(help: "What to look for, in words of any language.")
  var prompt: String

  @Option(help: ArgumentHelp("Where: an area in words, or LATITUDE,LONGITUDE.", valueName: "area"))
  var near: SearchArea?

  @Option(
    help: ArgumentHelp("Look places up in this list, a CSV file, and not with the geocoder.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var from: String?

  @Option(help: "The most places, 1 to 50.")
  var limit: Int = 10

  @Option(help: "The language for names, such as es-MX; by default that of the prompt.")
  var language: String?

  @Option(help: "The account that pays and whose history it is.")
  var account: String?

  @Option(
    help: "The provider: gemini or openai; by default the first that has its key.",
    completion: .list(ProviderID.all.filter { $0 != .ondevice }.map(\.rawValue)))
  var provider: String?

  @Flag(help: "Print the generation as JSON, in the form of the protocol.")
  var json = false

  @Flag(help: "Print the places as GeoJSON.")
  var geojson = false

  @Flag(help: "Print the places as CSV.")
  var csv = false

  @Flag(help: "Keep neither the words nor the places in history.")
  var `private` = false

  @Flag(name: [.short, .long], help: "Ask nothing at a terminal before something costs money.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard [json, geojson, csv].count(where: { $0 }) <= 1 else {
      throw ValidationError("Choose one of --json, --geojson and --csv.")
    }
    let request = try request.checked()
    do throws(AtelierError) {
      try request.validate()
    } catch {
      throw ValidationError(error.message)
    }
    if let provider, !ProviderID.all.contains(ProviderID(rawValue: provider)) {
      throw ValidationError("“\(provider)” is no provider. Choose gemini or openai.")
    }
  }

  func run() async throws {
    var list: PlaceListSource?
    if let from {
      let read = try await PlaceListSource(path: from)
      for problem in read.list.problems { Console.tell(problem) }
      list = read
    }
    let caller = Caller(locationSource: list)
    let display = ProgressDisplay(count: 1)
    let engine: Engine
    do {
      engine = try await EngineAssembly(common.settings).openedEngine { announcement in
        if case .progress(let progress, _) = announcement { display.show(progress) }
      }
    } catch {
      throw CommandFailure(error)
    }
    let signal = Mutex<Int32?>(nil)
    let task = Task { [request, list, yes] in
      var request = request
      request.account = await engine.presentAccount(of: request.account)
      let foresight = try await engine.foresee(request, for: caller)
      // Nobody else is asked than those about to be named.
      request.provider = ProviderChoice(foresight.makers.map(\.id))
      let notice = list.map { BatchNotice(request, foresight, in: $0) } ?? BatchNotice([(request, foresight)])
      let agreement = try await CostAgreement.obtain(for: notice, yes: yes, on: display)
      return try await engine.make(request, for: caller, with: agreement)
    }
    // If they cannot be watched, they end the process, and the next one records what became of the generation.
    try? TerminationSignals.watch { number in
      signal.withLock { $0 = $0 ?? number }
      task.cancel()
    }
    let outcome = await task.result
    display.finish()
    await engine.leave(milliseconds: 1000)
    do {
      let generation = try outcome.get()
      guard generation.state != .cancelled else {
        // Without a signal, another process has cancelled it.
        throw CommandFailure(sentence: "Cancelled.", status: signal.withLock { $0 }.map { 128 + $0 } ?? 1)
      }
      try show(generation)
    } catch is CancellationError {
      throw CommandFailure(sentence: "Cancelled.", status: signal.withLock { $0 }.map { 128 + $0 } ?? 1)
    } catch {
      throw CommandFailure(error)
    }
  }

  private var request: Generate {
    Generate(
      recipe: .places, prompt: prompt, near: near, limit: limit, language: language,
      provider: provider.map { ProviderChoice(ProviderID(rawValue: $0)) },
      account: account.map { AccountID(rawValue: $0) }, private: `private` ? true : nil)
  }

  private func show(_ generation: Generation) throws {
    for warning in generation.warnings { Console.tell(CommandWords.sentence(of: warning)) }
    for failure in generation.failures {
      Console.tell("The list is not complete. \(CommandWords.sentence(of: failure.error))")
    }
    let places = generation.places ?? []
    // A place that was named twice is listed once.
    let dropped = (generation.dropped?.names ?? []).filter { name in !places.contains { $0.name == name } }
    if !dropped.isEmpty {
      let names = dropped.joined(separator: "; ")
      Console.tell("\(dropped.count) could not be verified and \(dropped.count == 1 ? "was" : "were") left out: \(names)")
    }
    if json { return try Console.printJSON(generation) }
    if geojson || csv {
      print(try places.text(as: geojson ? .geoJSON : .csv, of: generation.generationId), terminator: "")
      return
    }
    for place in places { print("\(place.name.onOneLine)\t\(place.address.onOneLine)") }
  }
}

extension SearchArea: ExpressibleByArgument {
  public init?(argument: String) { self.init(words: argument) }
}
