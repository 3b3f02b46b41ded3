"""A receiver with nothing but Python's standard library: WEBHOOK_SECRET=... PORT=8088 python3 receiver.py"""

import base64
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET")
if not SECRET:
    raise SystemExit("WEBHOOK_SECRET is not set: anybody can sign with an empty secret.")
done = set()  # Yours is a table with a unique column: a retry may come after a restart.


def is_signed(body: bytes, headers) -> bool:
    event_id, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not event_id or not re.fullmatch("[0-9]{1,12}", sent) or abs(time.time() - int(sent)) > 300:
        return False
    # webhook-signature covers id, time and body. During a rotation it is two, with a space between.
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    covered = f"{event_id}.{sent}.".encode() + body
    standard = base64.b64encode(hmac.new(key, covered, hashlib.sha256).digest()).decode()
    # This one covers the body alone. During a rotation the new secret's stands in a header of its own.
    plain = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    names = ("X-Service-Signature", "X-Service-Signature-Next")
    return is_one_of(f"v1,{standard}", headers.get("webhook-signature", "").split(" ")) and is_one_of(
        plain, [headers.get(name, "") for name in names]
    )


def is_one_of(expected: str, given) -> bool:
    return any([hmac.compare_digest(one.encode(), expected.encode()) for one in given])


class Receiver(BaseHTTPRequestHandler):
    timeout = 15

    def do_POST(self):
        length = int(self.headers.get("Content-Length", "0"))
        if not 0 <= length <= 1024 * 1024:
            return self.answer(413)
        body = self.rfile.read(length)  # the raw bytes, before anything parses them
        if not is_signed(body, self.headers):
            return self.answer(401)
        # The same event may come again: answer 2xx and do nothing.
        event_id = self.headers["webhook-id"]
        if event_id not in done:
            self.act(event_id, json.loads(body))
            done.add(event_id)
        self.answer(204)

    def act(self, event_id, envelope):
        print(event_id, envelope["event"], json.dumps(envelope["payload"]), flush=True)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8088"))), Receiver)
print(f"Listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
