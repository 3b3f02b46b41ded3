export function python(signatureHeader: string): string {
  return `import hashlib, hmac, json, os
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The raw bytes, not parsed.
        body = self.rfile.read(int(self.headers["Content-Length"]))
        expected = hmac.new(SECRET, body, hashlib.sha256).hexdigest()
        given = self.headers.get("${signatureHeader}", "")
        if not hmac.compare_digest(given.encode(), expected.encode()):
            self.send_response(401)
            self.end_headers()
            return

        request = json.loads(body)
        # Act once per webhook-id.
        print(self.headers["webhook-id"], request["event"], request["payload"])
        self.send_response(204)
        self.end_headers()

HTTPServer(("", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
`;
}
