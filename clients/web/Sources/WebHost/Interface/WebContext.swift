import Hummingbird
import NIOCore

/// What Hummingbird keeps of a request, and who has connected.
struct WebContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The other end of the connection: a browser or a proxy.
  let peer: SocketAddress?

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    peer = source.channel.remoteAddress
  }
}
