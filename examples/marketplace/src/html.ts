const MARKUP: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Markup that may stand in a page as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | null | readonly Html[];

/** A template whose values are text, unless they are `Html`; null is nothing, lists are joined. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(
    parts.map((part, i) => (i === 0 ? part : render(values[i - 1] ?? null) + part)).join(""),
  );
}

/** Text from people: its direction is its own and does not spill into what stands next to it. */
export function words(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

function render(value: Value): string {
  if (value === null) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return String(value).replace(/[&<>"']/g, (character) => MARKUP[character] ?? "");
}
