import ArgumentParser
import AtelierProtocol
import Imaging
import Store
import Templates

/// The values that a shell completes. A closure runs when the person presses the key: it is quick, changes nothing, and
/// makes no data directory.
extension CompletionKind {
  /// The newest generations of all accounts, and the word for the newest.
  static let generations = CompletionKind.custom { words, _, _ async in
    [NewestGeneration.word] + (await newestGenerations(settings(named: words)).map(\.rawValue))
  }

  /// The hairstyles, with those of the operator.
  static let templates = CompletionKind.custom { words, _, _ async in
    let folder = (try? EngineAssembly.dataDirectory(settings(named: words)))?.templates ?? ""
    let contents = await ReloadingTemplates(folder: folder) { _ in }.contents()
    let everything = TemplateQuery()
    return contents.library.page(everything, usage: TemplateUsage(), limit: contents.library.count).templates
      .map(\.id).sorted()
  }

  /// The networks that the operator added.
  static let models = CompletionKind.custom { words, _, _ async in
    let contents = try? NetworkCatalogue(settings(named: words)).contents()
    return (contents?.networks ?? []).map(\.name)
  }

  static let providers = CompletionKind.list(ProviderID.all.map(\.rawValue))
  static let sizes = CompletionKind.list(["1K", "2K", "4K", "1024x1024", "1024x1536", "1536x1024", "512", "1024", "2048"])
  static let shapes = CompletionKind.list(["1:1", "4:5", "3:4", "2:3", "3:2", "4:3", "5:4", "9:16", "16:9", "21:9"])

  /// The options of the command line that is being completed. A fault must not be written into it.
  private static func settings(named words: [String]) -> CommonSettings {
    func value(of option: String) -> String? {
      words.firstIndex(of: option).flatMap { index in words.dropFirst(index + 1).first }
        ?? words.first { $0.hasPrefix("\(option)=") }.map { String($0.dropFirst(option.count + 1)) }
    }
    return CommonSettings(
      dataDirectory: value(of: "--data-dir"), config: value(of: "--config"), logLevel: LogLevel(argument: "critical"))
  }

  private static func newestGenerations(_ settings: CommonSettings) async -> [GenerationID] {
    let (directory, server): (DataDirectory, PostgreSQLServer?)
    do {
      (directory, server) = (try EngineAssembly.dataDirectory(settings), try await StoreAddress.configured(settings))
    } catch {
      return []
    }
    // Opening the data directory would make one.
    guard server != nil || directory.hasDatabase else { return [] }
    let surroundings = EngineAssembly.storeSurroundings(StandardErrorLog.logger(settings))
    let opened = try? await Store.open(
      directory: directory, server: server, surroundings: surroundings)
    guard let store = opened else { return [] }
    let entries = try? await store.entries(HistoryFilter(), limit: 20, after: nil)
    await store.close()
    return (entries ?? []).map(\.id)
  }
}

extension Background {
  public static var defaultCompletionKind: CompletionKind { .list(named.map(\.text)) }
}

extension Angle {
  public static var defaultCompletionKind: CompletionKind { .list(Name.allCases.map(\.rawValue)) }
}

extension GenerationPicture {
  static var defaultCompletionKind: CompletionKind { .generations }
}
