import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { isMarkethookError } from "@markethook/protocol";
import { SETTINGS } from "./config-schema.ts";
import { inspectConfig, readConfig } from "./config.ts";

function refusal(
  env: Record<string, string>,
  needs: Parameters<typeof readConfig>[1] = [],
): string {
  try {
    readConfig(env, needs);
  } catch (error) {
    assert.ok(isMarkethookError(error, "config_invalid"));
    return error.message;
  }
  assert.fail("it was accepted");
}

test("every default can be read", () => {
  const config = readConfig({});
  assert.equal(config.port, 8080);
  assert.equal(config.lease, 8000);
  assert.equal(config.retrySchedule.length, 9);
  assert.equal(config.databaseUrl, null);
  assert.ok(Object.isFrozen(config));
});

test("the database may be several servers of one cluster", () => {
  const servers = "postgresql://u:p@db1:5432,db2/markethook?target_session_attrs=read-write";
  assert.equal(readConfig({ MARKETHOOK_DATABASE_URL: servers }).databaseUrl, servers);
  const one = "postgres://db.internal/markethook";
  assert.equal(readConfig({ MARKETHOOK_DATABASE_URL: `${one}/` }).databaseUrl, one);
  for (const url of ["mysql://db1/markethook", "postgres://", "postgres:/"])
    assert.match(refusal({ MARKETHOOK_DATABASE_URL: url }), /starts with postgres:/);
  assert.match(
    refusal({ MARKETHOOK_DATABASE_URL: "postgres://db1/m?target_session_attrs=standby" }),
    /must be read-write/,
  );
});

test("an egress proxy is a host, a port and what it is told", () => {
  const read = (value: string) => readConfig({ MARKETHOOK_EGRESS_PROXY: value }).egressProxy;
  assert.deepEqual(read("http://proxy.market.example:3128"), {
    host: "proxy.market.example",
    port: 3128,
    authorization: null,
  });
  assert.deepEqual(read("http://a:b%40c@[2001:db8::1]/"), {
    host: "2001:db8::1",
    port: 80,
    authorization: `Basic ${Buffer.from("a:b@c").toString("base64")}`,
  });
  for (const value of [
    "proxy:3128",
    "socks5://user:hush@proxy:1080",
    "https://user:hush@proxy",
    "http://user:hush@proxy/way",
    "http://user:hush@proxy?a=1",
  ]) {
    const message = refusal({ MARKETHOOK_EGRESS_PROXY: value });
    assert.match(message, /MARKETHOOK_EGRESS_PROXY: /);
    assert.doesNotMatch(message, /hush/);
  }
  const malformed = refusal({ MARKETHOOK_EGRESS_PROXY: "http://user:hu%sh@proxy" });
  assert.match(malformed, /MARKETHOOK_EGRESS_PROXY: In its name and password, % is %25\./);
});

test("master keys without a key are refused as a setting, and not taken for a missing key", () => {
  for (const value of [" ", "\n", ","]) {
    assert.match(
      refusal({ MARKETHOOK_MASTER_KEY: value }),
      /MARKETHOOK_MASTER_KEY: A key is base64/,
    );
  }
});

test("all faults are reported at once, a missing and an unknown setting among them", () => {
  const message = refusal(
    { MARKETHOOK_PORT: "http", MARKETHOOK_LEASE: "8", MARKETHOOK_PROT: "1" },
    ["baseUrl"],
  );
  for (const name of [
    "MARKETHOOK_PORT",
    "MARKETHOOK_LEASE",
    "MARKETHOOK_PROT",
    "MARKETHOOK_BASE_URL",
  ]) {
    assert.match(message, new RegExp(`${name}: `));
  }
  assert.match(
    message,
    /MARKETHOOK_PROT: There is no such setting; did you mean MARKETHOOK_PORT\?/,
  );
  // Anyone who has the service has its command, in a container too.
  assert.match(
    refusal({ MARKETHOOK_COLOUR_OF_SKY: "1" }),
    /no such setting; `markethook serve --help` lists all of them/,
  );
});

test("variables that Kubernetes makes of a Service are told once, with what turns them off", () => {
  const { faults } = inspectConfig({
    MARKETHOOK_SERVICE_HOST: "10.96.3.4",
    MARKETHOOK_SERVICE_PORT: "8080",
    MARKETHOOK_SERVICE_PORT_HTTP: "8080",
    MARKETHOOK_PORT: "tcp://10.96.3.4:8080",
    MARKETHOOK_PORT_8080_TCP: "tcp://10.96.3.4:8080",
    MARKETHOOK_PORT_8080_TCP_ADDR: "10.96.3.4",
    MARKETHOOK_DB_SERVICE_HOST: "10.96.3.5",
    MARKETHOOK_DB_PORT: "tcp://10.96.3.5:5432",
  });
  assert.deepEqual(
    faults.map(({ name, sentence }) => [name, sentence.includes("enableServiceLinks: false")]),
    [
      ["MARKETHOOK_PORT", false],
      ["MARKETHOOK_SERVICE_HOST", true],
      ["MARKETHOOK_DB_SERVICE_HOST", true],
    ],
  );
});

test("the service reads every setting", () => {
  const sources = globSync("packages/server/src/**/*.ts").filter(
    (file) => !/(\.test|config-schema|check-settings)\.ts$/.test(file),
  );
  const code = sources.map((file) => readFileSync(file, "utf8")).join("\n");
  assert.deepEqual(
    Object.keys(SETTINGS).filter((name) => !new RegExp(`\\b${name}\\b`).test(code)),
    [],
    "settings that only the table has: use each, or remove it from the table",
  );
});

test("an empty text is as good as none", () => {
  assert.equal(readConfig({ MARKETHOOK_PORT: "" }).port, 8080);
});

test("the value of a secret setting is never part of a refusal", () => {
  for (const setting of Object.values(SETTINGS)) {
    if (setting.read.secret !== true) continue;
    assert.doesNotMatch(refusal({ [setting.name]: "hunter2-hunter2" }), /hunter2/, setting.name);
  }
});

test("a service name that could not stand in a header is refused", () => {
  assert.match(refusal({ MARKETHOOK_SERVICE_NAME: "My Service" }), /SERVICE_NAME/);
  assert.match(refusal({ MARKETHOOK_SERVICE_NAME: "A\r\nB" }), /SERVICE_NAME/);
});

test("believing every proxy is refused with what to write instead", () => {
  assert.match(refusal({ MARKETHOOK_TRUST_PROXY: "true" }), /Name the proxies/);
});

test("variables of the other commands are not taken for misspelt settings", () => {
  assert.doesNotThrow(() =>
    readConfig({ MARKETHOOK_API_URL: "http://127.0.0.1:1", MARKETHOOK_WEBHOOK_SECRET: "s" }),
  );
});

test("origins that may embed are taken as browsers write them, and nothing else", () => {
  const read = (text: string) => readConfig({ MARKETHOOK_EMBED_ORIGINS: text }).embedOrigins;
  assert.deepEqual(read(""), []);
  assert.deepEqual(read("https://a.example, http://127.0.0.1:8082"), [
    "https://a.example",
    "http://127.0.0.1:8082",
  ]);
  for (const wrong of [
    "*",
    "a.example",
    "https://a.example/",
    "https://*.a.example",
    "https://a;x",
    "null",
  ]) {
    const message = refusal({ MARKETHOOK_EMBED_ORIGINS: `https://b.example,${wrong}` });
    assert.match(message, /MARKETHOOK_EMBED_ORIGINS: .* is not an origin/, wrong);
  }
});

test("an origin that is written in another way is refused with the way in which browsers write it", () => {
  for (const text of ["https://A.example", "https://a.example:443", "https://a.example/"]) {
    const message = refusal({ MARKETHOOK_EMBED_ORIGINS: text });
    assert.match(message, /Is https:\/\/a\.example meant\?/, text);
  }
  assert.doesNotMatch(refusal({ MARKETHOOK_EMBED_ORIGINS: "*" }), /meant/);
  assert.match(refusal({ MARKETHOOK_CHAT_ORIGINS: "discord" }), /"discord" is not discord=https:/);
});

test("owners without a session are led to an address that says where it leads, and to no other", () => {
  const read = (text: string) => readConfig({ MARKETHOOK_PORTAL_ENTRY_URL: text }).portalEntryUrl;
  assert.equal(readConfig({}).portalEntryUrl, null);
  assert.equal(
    read("https://market.example/webhooks?from=hooks"),
    "https://market.example/webhooks?from=hooks",
  );
  for (const wrong of [
    "/webhooks",
    "market.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://market.example@evil.example/",
    "https://market.example/#/webhooks",
  ]) {
    const message = refusal({ MARKETHOOK_PORTAL_ENTRY_URL: wrong });
    assert.match(message, /MARKETHOOK_PORTAL_ENTRY_URL: .* is not an address such as/, wrong);
  }
});

test("notices are posted with a secret only, and with one that signs in both ways", () => {
  const url = { MARKETHOOK_NOTICES_URL: "https://market.example/notices/" };
  assert.match(refusal(url), /MARKETHOOK_NOTICES_SECRET: It must be set, because/);
  for (const wrong of ["short", "not base64 at all, though long enough", "A".repeat(24)]) {
    assert.match(
      refusal({ ...url, MARKETHOOK_NOTICES_SECRET: wrong }),
      /base64 of 24 bytes/,
      wrong,
    );
  }
  const config = readConfig({ ...url, MARKETHOOK_NOTICES_SECRET: "A".repeat(48) });
  // As written: the slash at its end may matter.
  assert.equal(config.noticesUrl, "https://market.example/notices/");
  const named = { MARKETHOOK_NOTICES_URL: "https://user:pass@market.example/" };
  assert.match(refusal(named), /NOTICES_URL: A name and password/);
});

test("a switch is true or false, and nothing that looks like it", () => {
  assert.equal(readConfig({}).dryRun, false);
  assert.equal(readConfig({ MARKETHOOK_DRY_RUN: "true" }).dryRun, true);
  for (const text of ["1", "yes", "TRUE", "on"]) {
    assert.match(refusal({ MARKETHOOK_DRY_RUN: text }), /DRY_RUN: .* is neither true nor false/);
  }
});

test("a security contact is a mail address or a page, as a URI", () => {
  const read = (value: string) =>
    readConfig({ MARKETHOOK_SECURITY_CONTACT: value }).securityContact;
  assert.equal(read("mailto:a@b.example"), "mailto:a@b.example");
  assert.equal(read("https://b.example/security"), "https://b.example/security");
  for (const wrong of [
    "a@b.example",
    "http://b.example",
    "mailto:a@b.example\nContact: x",
    "https://",
  ]) {
    assert.throws(() => read(wrong), wrong);
  }
});

test("curves are those that OpenSSL knows", () => {
  const curves = (text: string) =>
    inspectConfig({ MARKETHOOK_TLS_CURVES: text }).faults.map(({ name }) => name);
  assert.deepEqual(curves("X25519:P-256:P-384"), []);
  assert.deepEqual(curves("X25519:P-255"), ["MARKETHOOK_TLS_CURVES"]);
});

test("fewer connections to receivers than open requests are refused", () => {
  const faults = (connections: string) =>
    inspectConfig({
      MARKETHOOK_RECEIVER_CONNECTIONS: connections,
      MARKETHOOK_CONCURRENCY: "600",
    }).faults.map(({ name }) => name);
  assert.deepEqual(faults("600"), []);
  assert.deepEqual(faults("599"), ["MARKETHOOK_RECEIVER_CONNECTIONS"]);
});
