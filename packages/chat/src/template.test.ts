import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { fillTemplate, parseTemplate } from "./template.ts";

const VALUES: Readonly<Record<string, string>> = { name: "Jo", nothing: "" };

function fill(template: string): string {
  const parsed = parseTemplate(template, {
    knows: (name) => Object.hasOwn(VALUES, name),
    place: () => "text",
  });
  return "fault" in parsed
    ? `! ${parsed.fault.sentence}`
    : fillTemplate(parsed.pieces, (name) => VALUES[name] ?? "");
}

test("placeholders are filled in, and doubled braces are braces", () => {
  assert.equal(fill("Hello {name}, {name}!"), "Hello Jo, Jo!");
  assert.equal(fill("{{name}} {{{name}}}"), "{name} {Jo}");
  assert.equal(fill("no placeholder"), "no placeholder");
});

test("a line whose placeholders are all empty is left out", () => {
  assert.equal(fill("**{nothing}**\nby {name}{nothing}\n\nend"), "by Jo\n\nend");
  assert.equal(fill("{nothing}"), "");
});

test("an unknown name, an open brace and a lone one are faults that say so", () => {
  assert.match(fill("{names}"), /^! There is no placeholder \{names\}/);
  assert.match(fill("{toString}"), /^! There is no placeholder/);
  assert.match(fill("{}"), /^! There is no placeholder/);
  assert.match(fill("{name"), /^! A \{ stands alone/);
  assert.match(fill("name}"), /^! A \} stands alone/);
  assert.match(fill("{na{name}me}"), /^! A \{ stands alone/);
});

test("any text is a template or has a fault, and doubling its braces gives the text", () => {
  const texts = fc.string({ unit: fc.constantFrom("{", "}", "name", "\n", "a") });
  fc.assert(
    fc.property(texts, (text) => {
      fill(text);
      assert.equal(fill(text.replace(/[{}]/g, "$&$&")), text.trim());
    }),
  );
});
