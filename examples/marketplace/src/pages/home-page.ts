import { html, words } from "../html.ts";
import type { Person } from "../people.ts";
import type { SoldResource } from "../shop-data.ts";
import { layout } from "./layout.ts";
import { money } from "./shown-values.ts";

export function homePage(person: Person, resources: readonly SoldResource[]): string {
  const cards = resources.map(
    ({ id, title, subtitle, price }) =>
      html`<li class="card">
        <h2><a href="/resource/${id}">${words(title)}</a></h2>
        <p>${words(subtitle)}</p>
        <p class="quiet">${money(price)}</p>
      </li>`,
  );
  return layout({
    title: "Resources",
    person,
    path: "/",
    main: html`<h1>Resources</h1>
      <p class="lead">
        A small marketplace that reports what happens to its resources to Markethook, as a real one
        would.
      </p>
      <ul class="cards">
        ${cards}
      </ul>`,
  });
}
