import { createSocket, type RemoteInfo } from "node:dgram";
import { isIPv4 } from "node:net";

import ipaddr from "ipaddr.js";

/** What is answered for a name: addresses of both families (of `cname`, if there is one), a code, or nothing at all. */
export type Zone = (name: string, family: 4 | 6) => Reply | Promise<Reply>;
export type Reply =
  | { addresses: readonly string[]; ttl?: number; cname?: string }
  | { code: number }
  | "silence";

export interface NameServer {
  /** As `address:port`. */
  address: string;
  /** Each question as `name/family`. */
  questions: string[];
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_CNAME = 5;
const TYPE_AAAA = 28;
/** A pointer to the name in the question. */
const QUESTION = Buffer.from("c00c", "hex");

/** A DNS server that knows A and AAAA, on a port of loopback unless told otherwise. Closed with the test. */
export async function startNameServer(
  t: { after(close: () => void): void },
  zone: Zone,
  place: { host: string; port: number } = { host: "127.0.0.1", port: 0 },
): Promise<NameServer> {
  const socket = createSocket("udp4");
  const questions: string[] = [];
  const reply = async (query: Buffer, from: RemoteInfo): Promise<void> => {
    const { name, end } = readName(query);
    const family = query.readUInt16BE(end) === TYPE_AAAA ? 6 : 4;
    questions.push(`${name}/${family}`);
    const found = await zone(name, family);
    if (found === "silence") return;
    socket.send(answer(query, end + 4, found, family), from.port, from.address);
  };
  socket.on("message", (query, from) => void reply(query, from));
  await new Promise<void>((resolve) => socket.bind(place.port, place.host, resolve));
  t.after(() => socket.close());
  return { address: `${place.host}:${socket.address().port}`, questions };
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
  const alias = "cname" in reply && reply.cname !== undefined ? nameBytes(reply.cname) : null;
  head.writeUInt16BE(addresses.length + (alias === null ? 0 : 1), 6);
  head.writeUInt32BE(0, 8); // no other sections, EDNS of the question included
  const records = addresses.map((address) => {
    const data = Buffer.from(ipaddr.parse(address).toByteArray());
    return record(alias ?? QUESTION, family === 6 ? TYPE_AAAA : TYPE_A, data);
  });
  if (alias !== null) records.unshift(record(QUESTION, TYPE_CNAME, alias));
  return Buffer.concat([head, ...records]);

  function record(name: Buffer, type: number, data: Buffer): Buffer {
    const middle = Buffer.alloc(10);
    middle.writeUInt16BE(type, 0);
    middle.writeUInt16BE(1, 2);
    middle.writeUInt32BE("addresses" in reply ? (reply.ttl ?? 60) : 0, 4);
    middle.writeUInt16BE(data.length, 8);
    return Buffer.concat([name, middle, data]);
  }
}

function nameBytes(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from(`\0${label}`));
  for (const label of labels) label[0] = label.length - 1;
  return Buffer.concat([...labels, Buffer.alloc(1)]);
}
