import assert from "node:assert/strict";
import { test } from "node:test";
import { runCommand } from "./command-process.ts";
import { markethook, service, useCommands } from "./use-commands.ts";

useCommands();

test("an owner's id that is empty is wrong usage, as of a variable that is not set", async () => {
  const { code, stderr } = await markethook.run("webhooks list --owner ''");
  assert.equal(code, 2);
  assert.match(stderr, /--owner is empty/);
});

test("a key is made for a pipe, works, is listed, and is revoked", async () => {
  const made = await markethook.start("keys create 'shop backend' --scope resources:read").ended;
  assert.equal(made.code, 0);
  assert.match(made.stdout, /^mh_[A-Za-z0-9]+\n$/);
  assert.match(made.stderr, /^key_\w+, shop backend\. The key is shown only now\.\n$/);
  const key = made.stdout.trim();
  const id = made.stderr.split(",")[0] ?? "";
  const env = { MARKETHOOK_API_URL: service.address };
  const [listed, allowed, refused, none] = await Promise.all([
    markethook.done("keys list"),
    runCommand(["resources", "list", "--key", key], { env }),
    runCommand(["keys", "list", "--key", key], { env }),
    markethook.run("keys create x"),
  ]);
  assert.match(listed, new RegExp(`^${id} +shop backend +resources:read +active `, "m"));
  assert.deepEqual([allowed.code, allowed.stderr], [0, "There are none.\n"]);
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, /\[scope_missing\]\n$/);
  assert.equal(none.code, 2);
  assert.equal(await markethook.done(`keys revoke ${id}`), `Revoked ${id}.\n`);
  assert.match(await markethook.done("keys list"), /shop backend +resources:read +revoked /);
});

test("a resource is put, shown, listed and, when told so, deleted", async () => {
  const version = '{"version":"1.0","id":"u1","time":1767323045,"size":10,"fileType":"zip"}';
  const put = "resources put castle --title 'Castle' --owner 1001";
  assert.equal(await markethook.done(`${put} --file-version '${version}'`), "castle created.\n");
  assert.equal(await markethook.done(put), "castle updated.\n");
  const [shown, listed, foreign, wrong, asked] = await Promise.all([
    markethook.done("resources get castle"),
    markethook.done("resources list --json"),
    markethook.run("resources get castle --owner 2"),
    markethook.run("resources put 'no/id' --title x --owner 1001"),
    markethook.run("resources delete castle"),
  ]);
  assert.match(
    shown,
    /^castle {2}Castle\n├─ owner {4}1001\n.*version {2}1\.0 \(u1\), 10 bytes of zip/s,
  );
  assert.equal(JSON.parse(listed).id, "castle");
  assert.deepEqual([foreign.code, wrong.code, asked.code], [4, 4, 2]);
  assert.match(wrong.stderr, /\[resource_id_invalid\]/);
  assert.match(asked.stderr, /Delete castle \(Castle\) and all of its webhooks\? .*--yes/);
  assert.equal(await markethook.done("resources delete castle --yes"), "Deleted castle.\n");
  assert.equal((await markethook.run("resources delete castle --yes")).code, 4);
});

test("a webhook is added, listed, changed, copied, paused, resumed and deleted", async () => {
  for (const id of ["tower", "bridge"]) {
    await markethook.done(`resources put ${id} --title ${id} --owner 1001`);
  }
  const added = await markethook.json(`webhooks add tower --url ${service.receiverUrl}`);
  assert.equal(added["secret"], undefined);
  const id = String(added["id"]);
  const [shown, listed, copied, changed, nothing, both] = await Promise.all([
    markethook.done(`webhooks show ${id}`),
    markethook.done("webhooks list --resource tower --owner 1001"),
    markethook.run(`webhooks copy ${id} bridge nowhere`),
    markethook.json(`webhooks change ${id} --event product.update --description bot`),
    markethook.run(`webhooks change ${id}`),
    markethook.run(`webhooks change ${id} --all-events --event product.update`),
  ]);
  assert.match(shown, new RegExp(`^${id} {2}active\n`));
  assert.match(listed, new RegExp(`^id +resource +state .*\n${id} +tower +active `));
  assert.equal(copied.code, 1);
  assert.match(copied.stdout, /^bridge: wh_\w+\n.*\nnowhere: rejected\..*\[resource_unknown\]\n$/);
  assert.deepEqual([changed["events"], changed["description"]], [["product.update"], "bot"]);
  assert.deepEqual([nothing.code, both.code], [2, 2]);
  const withDetails = await markethook.done(`webhooks change ${id} --include-details`);
  assert.match(withDetails, /\bdetails +sent along with events$/m);
  const without = await markethook.json(`webhooks change ${id} --no-include-details`);
  assert.equal(without["includeDetails"], false);
  assert.equal((await markethook.json(`webhooks pause ${id}`))["state"], "paused");
  assert.match(await markethook.done(`webhooks show ${id}`), /\bheld +0$/m);
  assert.equal((await markethook.json(`webhooks resume ${id}`))["state"], "active");
  assert.match(
    await markethook.done(`webhooks delete ${id} --yes`),
    /^Deleted tower's webhook to /,
  );
  assert.equal((await markethook.run(`webhooks show ${id}`)).code, 4);
});

test("a secret is printed only when it is asked for, and is rotated", async () => {
  await markethook.done("resources put gate --title Gate --owner 1001");
  const url = `--url ${service.receiverUrl}`;
  const shown = await markethook.json(`webhooks add gate ${url} --show-secret`);
  const id = String(shown["id"]);
  const secret = async () => await markethook.done(`webhooks secret ${id}`);
  assert.equal(await secret(), `${String(shown["secret"])}\n`);

  const rotated = await markethook.done(`webhooks rotate ${id} --until-switched`);
  assert.match(rotated, /rotation {5}both secrets sign until it is switched/);
  const [, first, next] = /^(\w{48})\nnext (\w{48})\n$/.exec(await secret()) ?? [];
  assert.equal(first, shown["secret"]);
  assert.ok(!rotated.includes(String(next)));
  assert.equal((await markethook.run(`ping ${id} --next`)).code, 0);
  await markethook.done(`webhooks switch ${id}`);
  assert.equal(await secret(), `${next}\n`);
  await markethook.done(`webhooks rotate ${id} --overlap 2h`);
  await markethook.done(`webhooks cancel-rotation ${id}`);
  assert.equal(await secret(), `${next}\n`);
  const leaked = await markethook.json(`webhooks rotate ${id} --leaked --show-secret`);
  assert.equal(await secret(), `${String(leaked["secret"])}\n`);
});
