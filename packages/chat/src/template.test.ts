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
    : fillTemplate(parsed.pieces, Infinity, (name) => VALUES[name] ?? "");
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

test("filling stops where no more is shown, at a placeholder, and not for lines that are left out", () => {
  const asked: string[] = [];
  const fillUpTo = (template: string, enough: number) => {
    asked.length = 0;
    const parsed = parseTemplate(template, { knows: () => true, place: () => "text" });
    if ("fault" in parsed) return assert.fail(parsed.fault.sentence);
    return fillTemplate(parsed.pieces, enough, (name) => {
      asked.push(name);
      return name === "nothing" ? "" : "12345 ";
    });
  };
  assert.equal(fillUpTo(" {a}{b}{c}{d}", 10), "12345 12345 ");
  assert.deepEqual(asked, ["a", "b"]);
  assert.equal(fillUpTo("{a}\n{b}{c}", 10), "12345 \n12345 ");
  assert.equal(fillUpTo("not shown at all {nothing}\n{a}", 10), "12345");
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
