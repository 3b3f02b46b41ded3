"""A receiver with nothing but Python's standard library: WEBHOOK_SECRET=... PORT=3000 python3 receiver.py"""

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
done = set()  # In production, use a table with a unique column: a retry may come after a restart.


def is_signed(body: bytes, headers) -> bool:
    # webhook-signature covers the id and the time of sending too. During a rotation it is two, with a space between.
    event_id, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not event_id or not re.fullmatch("[0-9]{1,12}", sent) or abs(time.time() - int(sent)) > 300:
        return False
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    whole = hmac.new(key, f"{event_id}.{sent}.".encode() + body, hashlib.sha256).digest()
    given = headers.get("webhook-signature", "").split(" ")
    if not is_one_of("v1," + base64.b64encode(whole).decode(), given):
        return False

    # This one covers the body alone. During a rotation the new secret's stands in -Next.
    plain = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    names = ("X-Service-Signature", "X-Service-Signature-Next")
    return is_one_of(plain, [headers.get(name, "") for name in names])


def is_one_of(expected: str, given) -> bool:
    return any([hmac.compare_digest(one.encode(), expected.encode()) for one in given])


class Receiver(BaseHTTPRequestHandler):
    timeout = 15  # or senders that say nothing would keep their threads

    def do_POST(self):
        if "Content-Length" not in self.headers:
            return self.answer(411)  # a proxy passed it on in chunks, which this server does not read
        length = int(self.headers["Content-Length"])
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

    def act(self, event_id, envelope):  # once per webhook-id
        print(event_id, envelope["event"], json.dumps(envelope["payload"]), flush=True)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


class Server(ThreadingHTTPServer):
    request_queue_size = 128  # with 5, the default, connections that come at once are left waiting


server = Server(("", int(os.environ.get("PORT", "3000"))), Receiver)
print(f"Listening on port {server.server_port}", flush=True)
server.serve_forever()
