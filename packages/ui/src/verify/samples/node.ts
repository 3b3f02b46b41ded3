export function node(signatureHeader: string): string {
  return `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = process.env.WEBHOOK_SECRET;

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks); // the raw bytes, not parsed

  const expected = createHmac("sha256", secret).update(body).digest();
  const given = Buffer.from(String(request.headers["${signatureHeader.toLowerCase()}"]), "hex");
  if (given.length !== 32 || !timingSafeEqual(given, expected)) {
    response.writeHead(401).end();
    return;
  }

  const { event, payload } = JSON.parse(body);
  console.log(request.headers["webhook-id"], event, payload); // act once per webhook-id
  response.writeHead(204).end();
}).listen(process.env.PORT ?? 3000);
`;
}
