import assert from "node:assert/strict";
import { test } from "node:test";
import { html, words } from "./html.ts";

test("values are text, whatever they hold, also within attributes", () => {
  const hostile = `"><script>alert('1')</script>&amp;`;
  assert.equal(
    html`<a title="${hostile}">${hostile}</a>`.text,
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;</a>',
  );
});

test("markup stands as it is, lists are joined, null is nothing", () => {
  const items = [1, 2].map((n) => html`<i>${n}</i>`);
  assert.equal(html`<b>${items}</b>${null}`.text, "<b><i>1</i><i>2</i></b>");
});

test("text from people is kept in its own direction", () => {
  assert.equal(words("\u202Egpj.exe").text, "<bdi>\u202Egpj.exe</bdi>");
});
