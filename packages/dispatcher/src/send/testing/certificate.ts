import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";

/** A key and its X.509 certificate, in PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

interface CertificateOptions {
  /** Names and addresses that it is for. */
  names: string[];
  validFrom?: Date;
  validTo?: Date;
  /** Instead of a key on a curve: RSA with so many bits. */
  rsaBits?: number;
}

export interface Authority {
  cert: string;
  issue(options: CertificateOptions): Certificate;
}

const DAY_MS = 86_400_000;
const ECDSA_SHA256 = sequence(Buffer.from("06082a8648ce3d040302", "hex"));

/** An own certificate authority, so that tests can have certificates with any fault, and none expires in the repository. */
export function createAuthority(name: string): Authority {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = commonName(name);
  const range: [Date, Date] = [new Date(Date.now() - DAY_MS), new Date(Date.now() + DAY_MS)];
  const isAuthority = extension("551d13", sequence(Buffer.from("0101ff", "hex")), true);
  return {
    cert: certificate(issuer, keys.privateKey, issuer, keys.publicKey, range, isAuthority),
    issue({ names, validFrom = range[0], validTo = range[1], rsaBits }) {
      const own =
        rsaBits === undefined
          ? generateKeyPairSync("ec", { namedCurve: "P-256" })
          : generateKeyPairSync("rsa", { modulusLength: rsaBits });
      const cert = certificate(
        issuer,
        keys.privateKey,
        commonName("receiver"),
        own.publicKey,
        [validFrom, validTo],
        extension("551d11", sequence(...names.map(generalName))),
      );
      return { cert, key: own.privateKey.export({ type: "pkcs8", format: "pem" }) };
    },
  };
}

function certificate(
  issuer: Buffer,
  issuerKey: KeyObject,
  subject: Buffer,
  subjectKey: KeyObject,
  [from, to]: [Date, Date],
  extensions: Buffer,
): string {
  const body = sequence(
    Buffer.from("a003020102", "hex"), // version 3
    element(0x02, Buffer.from([1])),
    ECDSA_SHA256,
    issuer,
    sequence(time(from), time(to)),
    subject,
    subjectKey.export({ type: "spki", format: "der" }),
    element(0xa3, sequence(extensions)),
  );
  const signature = sign("sha256", body, issuerKey);
  const der = sequence(body, ECDSA_SHA256, element(0x03, Buffer.from([0]), signature));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function commonName(name: string): Buffer {
  const pair = sequence(Buffer.from("0603550403", "hex"), element(0x0c, Buffer.from(name)));
  return sequence(element(0x31, pair));
}

function generalName(name: string): Buffer {
  const isAddress = /^\d+\.\d+\.\d+\.\d+$/.test(name);
  return isAddress
    ? element(0x87, Buffer.from(name.split(".").map(Number)))
    : element(0x82, Buffer.from(name));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  const flag = critical ? Buffer.from("0101ff", "hex") : Buffer.alloc(0);
  return sequence(element(0x06, Buffer.from(id, "hex")), flag, element(0x04, value));
}

function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, "");
  return element(0x18, Buffer.from(digits));
}

function sequence(...parts: Buffer[]): Buffer {
  return element(0x30, ...parts);
}

/** One DER element. */
function element(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const size = value.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}
