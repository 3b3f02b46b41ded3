import { createSocket } from "node:dgram";
import { isIPv4 } from "node:net";
import type { TestContext } from "node:test";

import ipaddr from "ipaddr.js";

/** What is answered for a name: addresses of both families, a response code, or nothing at all. */
export type Zone = (name: string, family: 4 | 6) => Reply;
type Reply = { addresses: string[]; ttl?: number } | { code: number } | "silence";

export interface NameServer {
  /** As `address:port`. */
  address: string;
  /** Each question as `name/family`. */
  questions: string[];
}

const HEADER_BYTES = 12;
const TYPE_AAAA = 28;

/** A DNS server on loopback that knows A and AAAA. Closed with the test. */
export async function startNameServer(t: TestContext, zone: Zone): Promise<NameServer> {
  const socket = createSocket("udp4");
  const questions: string[] = [];
  socket.on("message", (query, from) => {
    const { name, end } = readName(query);
    const family = query.readUInt16BE(end) === TYPE_AAAA ? 6 : 4;
    questions.push(`${name}/${family}`);
    const reply = zone(name, family);
    if (reply === "silence") return;
    socket.send(answer(query, end + 4, reply, family), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  t.after(() => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, questions };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let size = query.readUInt8(at); size > 0; size = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + size));
    at += 1 + size;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

function answer(
  query: Buffer,
  questionEnd: number,
  reply: Exclude<Reply, "silence">,
  family: 4 | 6,
): Buffer {
  const found = "addresses" in reply ? reply.addresses : [];
  const addresses = found.filter((address) => isIPv4(address) === (family === 4));
  const head = Buffer.from(query.subarray(0, questionEnd));
  head.writeUInt16BE(0x8180 | ("code" in reply ? reply.code : 0), 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8); // no other sections, EDNS of the question included
  const records = addresses.map((address) => {
    const data = Buffer.from(ipaddr.parse(address).toByteArray());
    const record = Buffer.from("c00c00010001000000000000", "hex");
    if (family === 6) record.writeUInt16BE(TYPE_AAAA, 2);
    record.writeUInt32BE("addresses" in reply ? (reply.ttl ?? 60) : 0, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...records]);
}
