"""A receiver with nothing but Python's standard library: WEBHOOK_SECRET=... PORT=8088 python3 receiver.py"""

import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
assert SECRET, "an empty secret would accept forgeries"
done = set()  # Yours is a table with a unique column: a retry may come after a restart.


class Receiver(BaseHTTPRequestHandler):
    timeout = 15

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        if length > 1024 * 1024:
            return self.answer(413)
        body = self.rfile.read(length)  # the raw bytes, before anything parses them
        expected = hmac.new(SECRET, body, hashlib.sha256).hexdigest()
        # During a rotation the new secret's signature stands in a header of its own.
        fits = [
            hmac.compare_digest(expected.encode(), self.headers.get(name, "").encode())
            for name in ("X-Service-Signature", "X-Service-Signature-Next")
        ]
        if not any(fits):
            return self.answer(401)
        event_id = self.headers.get("webhook-id")
        if event_id is None or event_id not in done:
            self.act(json.loads(body))
            done.add(event_id)
        self.answer(204)

    def act(self, envelope):
        print(envelope["event"], json.dumps(envelope["payload"]), flush=True)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8088"))), Receiver)
print(f"Listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
