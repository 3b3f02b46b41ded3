// Without a library: WEBHOOK_SECRET=... PORT=3000 node receiver.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = process.env.WEBHOOK_SECRET;
// Anybody can sign with an empty secret.
if (!secret) throw new Error("WEBHOOK_SECRET is not set.");
const done = new Set(); // in production, a table with a unique column

function isSigned(body, headers) {
  // webhook-signature covers the id and the time of sending too.
  const { "webhook-id": id = "", "webhook-timestamp": time = "" } = headers;
  const age = Date.now() / 1000 - Number(time);
  if (id === "" || !/^[0-9]{1,12}$/.test(time) || Math.abs(age) > 300) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const whole = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest("base64");
  if (!isOneOf(`v1,${whole}`, (headers["webhook-signature"] ?? "").split(" "))) return false;

  // This one covers the body alone. During a rotation the new secret's stands in -next.
  const plain = createHmac("sha256", secret).update(body).digest("hex");
  return isOneOf(plain, [headers["x-service-signature"], headers["x-service-signature-next"]]);
}

function isOneOf(expected, given) {
  const wanted = Buffer.from(expected);
  return given.some((text) => {
    const bytes = Buffer.from(text ?? "", "latin1");
    return bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
  });
}

async function receive(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > 1024 * 1024) return 413;
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks); // the raw bytes, not parsed
  if (!isSigned(body, request.headers)) return 401;

  const id = request.headers["webhook-id"];
  if (!done.has(id)) {
    const { event, payload } = JSON.parse(body);
    console.log(id, event, payload); // act here, once per webhook-id
    done.add(id);
  }
  return 204;
}

createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    (error) => {
      console.error(error); // the sender went away, or acting failed: then the event comes again
      response.writeHead(500).end();
    },
  );
}).listen(process.env.PORT ?? 3000);
