import { html, type Html } from "../html.ts";
import { PEOPLE, type Person } from "../people.ts";

export interface Page {
  title: string;
  person: Person;
  /** Where the visitor is, to come back to after changing who they are. */
  path: string;
  /** Fills the window below the header, for what is embedded. */
  wide?: boolean;
  main: Html;
}

export function layout({ title, person, path, wide = false, main }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sample marketplace</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="data:,">
</head>
<body${wide ? html` class="wide"` : null}>
<a class="skip" href="#main">Skip to the content</a>
<header>
<nav aria-label="Marketplace"><a class="brand" href="/">Sample marketplace</a></nav>
${personSwitch(person, path)}
</header>
<main id="main" tabindex="-1">${main}</main>
<footer><p>Development mode, with sample data. “You are” replaces a login: anybody can be anybody here.</p></footer>
</body>
</html>
`.text;
}

function personSwitch(person: Person, path: string): Html {
  const options = PEOPLE.map((one) => {
    const role = one.kind === "owner" ? "owner" : "buyer";
    return html`<button name="who" value="${one.id}" aria-pressed="${String(one.id === person.id)}">
      ${one.name} <small>${role}</small>
    </button>`;
  });
  return html`<form class="who" method="post" action="/who" aria-labelledby="who">
    <input type="hidden" name="back" value="${path}" />
    <span id="who">You are</span>
    <div>${options}</div>
  </form>`;
}
