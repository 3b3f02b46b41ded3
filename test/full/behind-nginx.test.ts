import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { freePort } from "@markethook/protocol/testing";
import { postgresPlace } from "../places.ts";
import { apiKey, type ServiceProcess, startServiceProcess } from "../service-process.ts";

const hasNginx = spawnSync("nginx", ["-v"]).status === 0;
const skip = hasNginx ? false : "needs nginx";
const CLIENTS = 4;

test(
  "behind the nginx of deploy/nginx.conf instances restart in turn, and no report fails",
  { skip },
  async (t) => {
    const place = await postgresPlace();
    const folder = place.env["MARKETHOOK_DATA_DIR"] ?? "";
    const ports = [await freePort(), await freePort()];
    const start = async (port: number): Promise<ServiceProcess> => {
      const service = await startServiceProcess({
        ...place.env,
        MARKETHOOK_PORT: String(port),
        MARKETHOOK_TRUST_PROXY: "127.0.0.1",
      });
      while ((await fetch(`${service.address}/readyz`)).status !== 200) await pause(20);
      return service;
    };
    const services = [await start(ports[0] ?? 0), await start(ports[1] ?? 0)];
    const [first] = services;
    assert.ok(first);
    await first.api("PUT", "/resources/castle", { title: "A", ownerId: "o" });
    const nginx = await startNginx(folder, ports);
    t.after(async () => {
      await nginx.stop();
      for (const service of services) service.signal("SIGKILL");
      await Promise.all(services.map((service) => service.exited));
      await place.drop();
    });

    assert.equal(await nginx.ask("GET", "/metrics", apiKey), 404);
    assert.equal(await nginx.ask("GET", "/hooks/metrics", apiKey), 404);
    assert.equal(await nginx.ask("GET", "/hooks/v1/resources/castle", apiKey), 200);
    const statuses = new Map<number, number>();
    let [stopped, user] = [false, 0];
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!stopped) {
        user += 1;
        const event = { event: "product.user.purchase", user: { id: user } };
        const status =
          user % 2 === 0
            ? await nginx.ask("POST", "/v1/resources/castle/events", apiKey, event)
            : await nginx.ask("POST", "/v1/events", apiKey, {
                events: [{ resourceId: "castle", ...event }],
              });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    for (const [index, port] of ports.entries()) {
      services[index]?.signal("SIGTERM");
      assert.equal(await services[index]?.exited, 0);
      services[index] = await start(port);
    }
    stopped = true;
    await Promise.all(clients);
    assert.deepEqual([...statuses.keys()], [202]);
  },
);

/** The example as it is, but for its addresses and its certificate. */
async function startNginx(folder: string, ports: readonly number[]) {
  const port = await freePort();
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", "/CN=hooks.market.example", "-days", "2", "-nodes"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-keyout", key, "-out", certificate, ...subject],
    { stdio: "pipe" },
  );
  let site = readFileSync("deploy/nginx.conf", "utf8");
  for (const [from, to] of [
    ["server 127.0.0.1:8080 ", `server 127.0.0.1:${ports[0]} `],
    ["# server 127.0.0.1:8081 ", `server 127.0.0.1:${ports[1]} `],
    ["listen 443 ", `listen 127.0.0.1:${port} `],
    ["listen [::]:443 ssl;", ""],
    ["/etc/ssl/hooks.market.example.pem", certificate],
    ["/etc/ssl/hooks.market.example.key", key],
    ["10.0.0.0/8 1;", "127.0.0.0/8 1;"],
    ["# rewrite ", "rewrite "],
  ] as const) {
    assert.ok(site.includes(from), `deploy/nginx.conf has ${from}`);
    site = site.replace(from, to);
  }
  const at = join(folder, "nginx");
  mkdirSync(at);
  writeFileSync(join(at, "site.conf"), site);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${at}/${name};`)
    .join(" ");
  const whole = `pid ${at}/pid; events {} http { access_log off; ${temporary} include ${at}/site.conf; }`;
  writeFileSync(join(at, "nginx.conf"), `error_log ${at}/error.log; ${whole}\n`);
  const child = spawn("nginx", ["-c", join(at, "nginx.conf"), "-g", "daemon off;"], {
    stdio: "ignore",
  });
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const ask = async (
    method: string,
    path: string,
    apiKey: string,
    body?: unknown,
  ): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    const sent = request({ host: "127.0.0.1", port, method, path, agent, headers }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.once("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    return await promise;
  };
  for (let tries = 0; tries < 200; tries += 1) {
    const status = await ask("GET", "/", "").catch(() => null);
    if (status !== null) break;
    await pause(20);
  }
  return {
    ask,
    async stop() {
      agent.destroy();
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
    },
  };
}
