import { html } from "../html.ts";
import type { Person } from "../people.ts";
import { layout } from "./layout.ts";

export interface Message {
  heading: string;
  sentence: string;
  /** Where to go from here. */
  way: { href: string; text: string };
}

/** A page that says one thing, such as what went wrong. */
export function messagePage(person: Person, { heading, sentence, way }: Message): string {
  return layout({
    title: heading,
    person,
    path: "/",
    main: html`<h1>${heading}</h1>
      <p>${sentence}</p>
      <p><a href="${way.href}">${way.text}</a></p>`,
  });
}
