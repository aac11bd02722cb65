import ArgumentParser
import Engine

/// `atelier metrics`: the numbers of the data directory for a monitoring system.
struct MetricsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Print metrics of the data directory in the text format of Prometheus.",
    discussion: """
      Counts generations by recipe, provider and state, and their durations, over all processes of the data directory.
      What only a running service knows, such as restarts of its worker, `status` tells: {"metrics": true}.

        atelier metrics
        atelier metrics > /var/lib/node_exporter/atelier.prom.new && mv /var/lib/node_exporter/atelier.prom.new \\
          /var/lib/node_exporter/atelier.prom
      """)

  @OptionGroup var common: CommonOptions

  func run() async throws {
    do {
      print(
        try await EngineAssembly(common.settings).withEngine { try await $0.metrics(includingProcess: false) },
        terminator: "")
    } catch {
      throw CommandFailure(error)
    }
  }
}
