import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { createInterruption } from "./interruption.ts";

function running() {
  const signals = new EventEmitter();
  const exits: number[] = [];
  let at = 5000;
  const { take, exitCode } = createInterruption({
    on: (event, listener) => signals.on(event, listener),
    exit: (code) => exits.push(code),
    now: () => at,
  });
  return {
    signal: take(),
    exitCode,
    exits,
    send(name: "SIGINT" | "SIGTERM", afterMs: number): void {
      at += afterMs;
      signals.emit(name);
    },
  };
}

test("a command is interrupted by Ctrl-C and by SIGTERM, and knows by which", () => {
  const command = running();
  assert.deepEqual([command.signal.aborted, command.exitCode()], [false, null]);
  command.send("SIGINT", 0);
  assert.deepEqual([command.signal.aborted, command.exitCode()], [true, 130]);
  const other = running();
  other.send("SIGTERM", 0);
  assert.deepEqual([other.signal.aborted, other.exitCode()], [true, 143]);
});

test("a second signal soon after the first is the same one; a later one ends the command at once", () => {
  const command = running();
  command.send("SIGINT", 0);
  command.send("SIGINT", 3);
  command.send("SIGTERM", 990);
  assert.deepEqual([command.exits, command.exitCode()], [[], 130]);
  command.send("SIGINT", 7);
  assert.deepEqual(command.exits, [130]);
});
