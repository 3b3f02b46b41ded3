import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { fillTemplate, parseTemplate } from "./template.ts";

const VALUES: Readonly<Record<string, string>> = { buyer: "Jo", subtitle: "" };

function fill(template: string): string {
  const parsed = parseTemplate("product.user.purchase", template);
  return "fault" in parsed
    ? `! ${parsed.fault.sentence}`
    : fillTemplate(parsed.pieces, Infinity, (name) => VALUES[name] ?? "");
}

test("placeholders are filled in, and doubled braces are braces", () => {
  assert.equal(fill("Hello {buyer}, {buyer}!"), "Hello Jo, Jo!");
  assert.equal(fill("{{buyer}} {{{buyer}}}"), "{buyer} {Jo}");
  assert.equal(fill("no placeholder"), "no placeholder");
});

test("a line whose placeholders are all empty is left out", () => {
  assert.equal(fill("**{subtitle}**\nby {buyer}{subtitle}\n\nend"), "by Jo\n\nend");
  assert.equal(fill("{subtitle}"), "");
});

test("filling stops where no more is shown, at a placeholder, and not for lines that are left out", () => {
  const asked: string[] = [];
  const fillUpTo = (template: string, enough: number) => {
    asked.length = 0;
    const parsed = parseTemplate("product.user.purchase", template);
    if ("fault" in parsed) return assert.fail(parsed.fault.sentence);
    return fillTemplate(parsed.pieces, enough, (name) => {
      asked.push(name);
      return name === "subtitle" ? "" : "12345 ";
    });
  };
  assert.equal(fillUpTo(" {amount}{buyer}{currency}{order}", 10), "12345 12345 ");
  assert.deepEqual(asked, ["amount", "buyer"]);
  assert.equal(fillUpTo("{amount}\n{buyer}{currency}", 10), "12345 \n12345 ");
  assert.equal(fillUpTo("not shown at all {subtitle}\n{amount}", 10), "12345");
});

test("an unknown name, an open brace and a lone one are faults that say so", () => {
  assert.match(fill("{buyers}"), /^! There is no placeholder \{buyers\}/);
  assert.match(fill("{toString}"), /^! There is no placeholder/);
  assert.match(fill("{}"), /^! There is no placeholder/);
  assert.match(fill("{buyer"), /^! A \{ stands alone/);
  assert.match(fill("buyer}"), /^! A \} stands alone/);
  assert.match(fill("{bu{buyer}er}"), /^! A \{ stands alone/);
});

test("any text is a template or has a fault, and doubling its braces gives the text", () => {
  const texts = fc.string({ unit: fc.constantFrom("{", "}", "buyer", "\n", "a") });
  fc.assert(
    fc.property(texts, (text) => {
      fill(text);
      assert.equal(fill(text.replace(/[{}]/g, "$&$&")), text.trim());
    }),
  );
});
