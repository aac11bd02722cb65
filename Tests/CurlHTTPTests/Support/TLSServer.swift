import Foundation

/// A server of TLS on 127.0.0.1, in a Python process that ends with this one. It answers with what it was sent; a body
/// of more than ten thousand bytes with its length, and one that begins with "hang" never.
final class TLSServer: Sendable {
  enum HTTPVersion: String {
    case one = "http/1.1"
    case two = "h2"
  }

  let port: UInt16
  /// "connection", "request" and, for HTTP/2, "reset", each as it happens; "end" when a connection has ended.
  let reports = Reports<String>()
  private let process: Process
  private let input: Pipe

  init(_ version: HTTPVersion, _ certificates: TestCertificates) throws {
    process = Process()
    input = Pipe()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.script, certificates.certificate, certificates.key, version.rawValue]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let lines = LineReader(output.fileHandleForReading)
    guard let port = lines.next().flatMap({ UInt16($0) }) else { throw CocoaError(.fileReadUnknown) }
    self.port = port
    startThread { [reports] in
      while let line = lines.next() { reports.add(line) }
    }
  }

  deinit { close() }

  func close() { try? input.fileHandleForWriting.close() }

  var connectionCount: Int { reports.all.filter { $0 == "connection" }.count }

  /// Waits for a report, passing over others.
  func waits(for report: String) async throws {
    while try await reports.next() != report {}
  }

  private static let script = #"""
    import os, socket, ssl, sys, threading

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols([sys.argv[3]])
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    lock = threading.Lock()

    def tell(text):
        with lock:
            print(text, flush=True)

    def answer(body):
        return body if len(body) <= 10000 else str(len(body)).encode()

    class One:
        def __init__(self, stream):
            file = stream.makefile("rb")
            while True:
                line, length = file.readline(), 0
                if not line:
                    return
                while True:
                    header = file.readline()
                    if not header.strip():
                        break
                    if header.lower().startswith(b"content-length:"):
                        length = int(header[15:])
                body = file.read(length)
                if len(body) < length:
                    return
                tell("request")
                if not body.startswith(b"hang"):
                    reply = answer(body)
                    stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(reply) + reply)

    class Two:
        # Frames as in RFC 9113; a request's fields are not looked at, so nothing of HPACK is needed but ":status: 200".
        def __init__(self, stream):
            self.stream, self.bodies = stream, {}
            self.read(24)
            self.send(4, 0, 0, b"")
            handlers = {0: self.data, 1: self.headers, 3: self.reset, 4: self.settings, 6: self.ping}
            while True:
                head = self.read(9)
                payload = self.read(int.from_bytes(head[:3], "big"))
                number = int.from_bytes(head[5:], "big")
                if head[3] in handlers:
                    handlers[head[3]](head[4], number, payload)

        def read(self, count):
            data = b""
            while len(data) < count:
                more = self.stream.recv(count - len(data))
                if not more:
                    raise EOFError
                data += more
            return data

        def send(self, kind, flags, number, payload):
            head = len(payload).to_bytes(3, "big") + bytes([kind, flags]) + number.to_bytes(4, "big")
            self.stream.sendall(head + payload)

        def settings(self, flags, number, payload):
            if not flags & 1:
                self.send(4, 1, 0, b"")

        def ping(self, flags, number, payload):
            if not flags & 1:
                self.send(6, 1, 0, payload)

        def headers(self, flags, number, payload):
            self.bodies[number] = b""
            if flags & 1:
                self.end(number)

        def data(self, flags, number, payload):
            if payload:
                self.send(8, 0, 0, len(payload).to_bytes(4, "big"))
                self.send(8, 0, number, len(payload).to_bytes(4, "big"))
            if number in self.bodies:
                self.bodies[number] += payload
                if flags & 1:
                    self.end(number)

        def reset(self, flags, number, payload):
            # libcurl also resets streams that have been answered.
            if self.bodies.pop(number, None) is not None:
                tell("reset")

        def end(self, number):
            tell("request")
            body = self.bodies[number]
            if not body.startswith(b"hang"):
                del self.bodies[number]
                self.send(1, 4, number, b"\x88")
                self.send(0, 1, number, answer(body))

    def serve(raw):
        tell("connection")
        try:
            with context.wrap_socket(raw, server_side=True) as stream:
                (One if sys.argv[3] == "http/1.1" else Two)(stream)
        except (OSError, EOFError, ssl.SSLError):
            pass
        tell("end")

    def accept():
        while True:
            raw, _ = listener.accept()
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=serve, args=(raw,), daemon=True).start()

    tell(listener.getsockname()[1])
    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.read()
    os._exit(0)
    """#
}
