import assert from "node:assert/strict";
import { test } from "node:test";
import { readFacts } from "../event-facts.ts";
import { sampleFacts } from "../sample-facts.ts";
import { DISCORD_LIMITS } from "./message-form.ts";
import { fillText } from "../written-texts.ts";
import { TEXT_RULES } from "./embed.ts";

test("a long text that a template has a hundred times is filled in as far as it is shown", () => {
  const sample = sampleFacts("product.update", { title: "T", url: "", serviceName: "S" });
  const known = readFacts(sample);
  const texts = [".a".repeat(30_000), "👩‍👩‍👧".repeat(7_500), `a${"👩".repeat(30_000)}`];
  for (const updateText of texts) {
    for (const template of ["{update_text}", "[x](https://shop.example/{update_text})"]) {
      const of = { ...known, updateText };
      const filled = fillText(
        "product.update",
        template.repeat(2000 / template.length),
        of,
        TEXT_RULES,
      );
      assert.ok("text" in filled);
      assert.ok(filled.text.length > DISCORD_LIMITS.total, "longer than any message");
      assert.ok(filled.text.length < 200_000, "and not by much");
    }
  }
});
