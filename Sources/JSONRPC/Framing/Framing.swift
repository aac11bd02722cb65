/// How messages are told apart on a byte stream (PROTOCOL 1).
public enum Framing: Sendable, Hashable {
  /// One message a line, ended by LF or CRLF (NDJSON).
  case lines
  /// A block of headers with `Content-Length`, an empty line, the message (as LSP 3.17 has it).
  case headers
}
