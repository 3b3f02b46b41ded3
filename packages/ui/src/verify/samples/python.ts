import type { SampleFor } from "../sample-for.ts";

export function python({ signature, signatureNext, standard }: SampleFor): string {
  const standardCheck = `
    # webhook-signature covers the id and the time of sending too.
    event_id, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not event_id or not re.fullmatch("[0-9]{1,12}", sent) or abs(time.time() - int(sent)) > 300:
        return False
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    whole = hmac.new(key, f"{event_id}.{sent}.".encode() + body, hashlib.sha256).digest()
    given = headers.get("webhook-signature", "").split(" ")
    if not is_one_of("v1," + base64.b64encode(whole).decode(), given):
        return False
`;
  const imports = standard
    ? "base64, hashlib, hmac, json, os, re, time"
    : "hashlib, hmac, json, os";
  return `import ${imports}
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
if not SECRET:
    # Anybody can sign with an empty secret.
    raise SystemExit("WEBHOOK_SECRET is not set.")
done = set()  # yours is a table with a unique column

def is_signed(body, headers):${standard ? standardCheck : ""}
    # This one covers the body alone. During a rotation the new secret's stands in -Next.
    plain = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    names = ("${signature}", "${signatureNext}")
    return is_one_of(plain, [headers.get(name, "") for name in names])

def is_one_of(expected, given):
    return any([hmac.compare_digest(one.encode(), expected.encode()) for one in given])

class Receiver(BaseHTTPRequestHandler):
    timeout = 15  # or senders that say nothing would keep their threads

    def do_POST(self):
        length = int(self.headers.get("Content-Length", "0"))
        if not 0 <= length <= 1024 * 1024:
            return self.answer(413)
        body = self.rfile.read(length)  # the raw bytes, not parsed
        if not is_signed(body, self.headers):
            return self.answer(401)
        event_id = self.headers["webhook-id"]
        if event_id not in done:
            request = json.loads(body)
            # Act here, once per webhook-id.
            print(event_id, request["event"], request["payload"], flush=True)
            done.add(event_id)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

ThreadingHTTPServer(("", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
`;
}
