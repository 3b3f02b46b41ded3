import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, UnexpectedAnswerError, UnreachableError } from "@markethook/client";
import { MarkethookError } from "@markethook/protocol";
import { failureText, operatorAdvice, toCommandFailure, usageFailure } from "./failure.ts";

test("a refusal of the server ends with 4 and tells code, title, detail and request", () => {
  const failure = toCommandFailure(
    new ApiError(
      {
        type: "https://markethook.example/errors/not_found",
        status: 404,
        code: "not_found",
        title: "There is no such thing.",
        detail: "No webhook wh_1. Check the id.",
        requestId: "req-1",
      },
      null,
    ),
  );
  assert.equal(failure.exitCode, 4);
  assert.equal(
    failureText(failure),
    "markethook: The server refused: There is no such thing. No webhook wh_1. Check the id.\n  request req-1 [not_found]",
  );
});

test("a server that cannot be reached, or is another one, ends with 3 and says where to look", () => {
  for (const error of [
    new UnreachableError("http://127.0.0.1:1 cannot be reached.", "refused", false),
    new UnexpectedAnswerError("That is not Markethook.", 502, "<html>"),
  ]) {
    const failure = toCommandFailure(error);
    assert.equal(failure.exitCode, 3);
    assert.match(failureText(failure), /Check --api or MARKETHOOK_API_URL/);
  }
});

test("where the answer was lost, a command also says to look before a change is repeated", () => {
  const lost = new UnreachableError("The connection was closed.", "dropped", true);
  const failure = toCommandFailure(lost);
  assert.equal(failure.exitCode, 3);
  assert.match(
    failureText(failure),
    /Check --api .*\. Before you repeat a change, look whether it was made\.$/,
  );
});

test("errors of ours and of files end with 2 and a sentence, without a stack", () => {
  const missing = Object.assign(new Error("ENOENT: x"), { code: "ENOENT", path: "a\u001bb" });
  const cases = [
    [
      new MarkethookError("data_dir_in_use", { detail: "In use." }),
      /^markethook: In use\. .*\[data_dir_in_use\]$/,
    ],
    [new MarkethookError("store_unavailable"), /Check MARKETHOOK_DATABASE_URL/],
    [refusedBy("25006"), /takes no writes: .* the primary/],
    [refusedBy("42501"), /Grant the right .* `markethook doctor`/],
    [refusedBy("53300"), /All connections are taken/],
    [refusedBy("57P03"), /Check MARKETHOOK_DATABASE_URL/],
    [missing, /^markethook: There is no file a\\u001bb\.$/],
    [Object.assign(new Error(), { code: "EISDIR" }), /is a folder/],
    [Object.assign(new Error(), { code: "EACCES", path: "/x" }), /No permission for \/x\./],
    [usageFailure("Which event?", "Name one."), /^markethook: Which event\? Name one\.$/],
  ] as const;
  for (const [error, expected] of cases) {
    const failure = toCommandFailure(error);
    assert.equal(failure.exitCode, 2);
    assert.match(failureText(failure), expected);
  }
});

test("a fault of SQLite that a command meets is about the data folder, not about the command", () => {
  const error = Object.assign(new Error("disk I/O error"), { code: "ERR_SQLITE_ERROR" });
  assert.match(
    failureText(toCommandFailure(error)),
    /^markethook: SQLite: disk I\/O error\. Check the data folder .* \[store_unavailable\]$/,
  );
});

test("a database that another program locks is told as that, not as a fault of the disk", () => {
  const advice = (errcode: number): string | null => {
    const cause = Object.assign(new Error("database is locked"), { errcode });
    const detail = "SQLite: database is locked.";
    return operatorAdvice(new MarkethookError("store_unavailable", { detail, cause }));
  };
  for (const busy of [5, 5 | (2 << 8)]) assert.match(String(advice(busy)), /Another program locks/);
  assert.match(String(advice(10)), /its disk/);
  assert.match(String(advice(1032)), /Do not stop the service/);
});

test("a fault nobody foresaw keeps its stack", () => {
  assert.match(
    failureText(toCommandFailure(new TypeError("x is not a function"))),
    /TypeError: x[^]*\n +at /,
  );
  assert.equal(failureText(toCommandFailure("text")), "markethook: text");
});

/** As PostgreSQL refuses a statement or a connection. */
function refusedBy(code: string): MarkethookError {
  const cause = Object.assign(new Error("refused"), { code });
  return new MarkethookError("store_unavailable", { detail: "PostgreSQL: refused.", cause });
}
