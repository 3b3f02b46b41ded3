import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  EVENT_NAMES,
  EVENT_SUBJECTS,
  type EventName,
  type EventSubject,
  isEventName,
  REPORTED_EVENT_NAMES,
} from "./event-names.ts";
import { checkShape, PAYLOAD_SHAPES, type Shape } from "./payload-shapes.ts";
import { pingPayload, product, resourceUrl, updatePayload, userPayload } from "./payloads.ts";

const of = product("https://market.example", { id: "5127", title: "T", subtitle: "" });
const previous = {
  version: "1",
  id: "7",
  time: 1,
  size: "12",
  fileType: "jar",
  branch: "release",
};
const update = { ...previous, version: "2", id: "8", title: "New", description: "" };

const BY_SUBJECT: Record<EventSubject, object> = {
  webhook: pingPayload(of, "https://receiver.example/"),
  update: updatePayload(of, previous, update),
  user: userPayload(of, 4711),
};

function built(name: EventName): object {
  return BY_SUBJECT[EVENT_SUBJECTS[name]];
}

/** Every member at every depth, as a JSON Pointer. */
function pointers(shape: Shape, at = ""): string[] {
  if (shape.type !== "object") return [];
  return Object.entries(shape.properties).flatMap(([name, child]) =>
    [`${at}/${name}`].concat(pointers(child, `${at}/${name}`)),
  );
}

/** A copy of `value` with the member at `pointer` replaced, or left out where `by` is undefined. */
function changed(value: unknown, pointer: string, by: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const path = pointer.slice(1).split("/");
  const last = path.pop() ?? "";
  // Pointers come from the shape, whose inner parts are objects.
  let inner = copy as Record<string, unknown>;
  for (const name of path) inner = inner[name] as Record<string, unknown>;
  if (by === undefined) delete inner[last];
  else inner[last] = by;
  return copy;
}

test("the names are the specification's five, and all but ping are reported", () => {
  const specified = [
    "ping",
    "product.update",
    "product.user.purchase",
    "product.user.purchaseRemoved",
    "product.user.firstDownload",
  ];
  assert.deepEqual(EVENT_NAMES, specified, "append the new name here too, and move none");
  assert.deepEqual(REPORTED_EVENT_NAMES, EVENT_NAMES.slice(1));
  assert.ok(isEventName("ping"));
  for (const name of ["resource.update", "testEvent", "", "toString", "Ping"]) {
    assert.equal(isEventName(name), false, name);
  }
});

test("what the builders build fits the shape, member for member and in its order", () => {
  for (const name of EVENT_NAMES) {
    assert.equal(checkShape(PAYLOAD_SHAPES[name], built(name)), null, name);
    const inOrder = (shape: Shape, value: unknown): void => {
      if (shape.type !== "object") return;
      assert.deepEqual(Object.keys(value as object), Object.keys(shape.properties), name);
      for (const [member, child] of Object.entries(shape.properties)) {
        inOrder(child, (value as Record<string, unknown>)[member]);
      }
    };
    inOrder(PAYLOAD_SHAPES[name], built(name));
  }
});

test("a member that is missing or null, at any depth, is found and pointed at", () => {
  for (const name of EVENT_NAMES) {
    for (const pointer of pointers(PAYLOAD_SHAPES[name])) {
      for (const by of [undefined, null]) {
        const problem = checkShape(PAYLOAD_SHAPES[name], changed(built(name), pointer, by));
        assert.equal(problem?.pointer, pointer, `${name} ${pointer} ${String(by)}`);
      }
    }
  }
});

test("a user id is a whole JSON number, and a size is a text of digits", () => {
  const shape = PAYLOAD_SHAPES["product.user.purchase"];
  for (const id of ["4711", 1.5, 2 ** 53, Number.NaN, true]) {
    assert.equal(
      checkShape(shape, changed(built("product.user.purchase"), "/user/id", id))?.pointer,
      "/user/id",
    );
  }
  for (const size of [12, "", "-1", "1e3", "12 ", "12\n"]) {
    const payload = changed(built("product.update"), "/update/size", size);
    assert.equal(
      checkShape(PAYLOAD_SHAPES["product.update"], payload)?.pointer,
      "/update/size",
      JSON.stringify(size),
    );
  }
});

test("further members are allowed, and inherited ones do not count as present", () => {
  const shape = PAYLOAD_SHAPES.ping;
  assert.equal(checkShape(shape, { ...built("ping"), more: 1 }), null);
  assert.equal(checkShape(shape, Object.create(built("ping")))?.pointer, "/product");
});

test("any value is judged without throwing", () => {
  fc.assert(
    fc.property(fc.constantFrom(...EVENT_NAMES), fc.anything(), (name, value) => {
      const problem = checkShape(PAYLOAD_SHAPES[name], value);
      assert.ok(problem === null || problem.expected.length > 0);
    }),
  );
});

test("builders leave out what the specification does not name", () => {
  const more = { ...update, secret: "x" };
  assert.equal(JSON.stringify(updatePayload(of, more, more)).includes("secret"), false);
  const priced = { id: "1", title: "t", subtitle: "s", price: 1 };
  assert.deepEqual(product("https://m.example", priced), {
    id: "1",
    title: "t",
    subtitle: "s",
    url: "https://m.example/resource/1",
  });
});

test("a resource's address is its id below the base address, with any slashes at its end", () => {
  for (const base of ["https://m.example/a", "https://m.example/a/", "https://m.example/a//"]) {
    assert.equal(resourceUrl(base, "x_-1"), "https://m.example/a/resource/x_-1");
  }
});
