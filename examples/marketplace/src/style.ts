/** The whole stylesheet; here, and not in a file of its own, so that it is in every bundle. */
export const STYLE = `:root {
  color-scheme: light dark;
  --page: #f8f9fa;
  --card: #ffffff;
  --text: #212529;
  --quiet: #5c636a;
  --line: #dee2e6;
  --field: #868e96;
  --accent: #364fc7;
  --on-accent: #ffffff;
  --good: #2b8a3e;
  --wait: #96580a;
  --bad: #c92a2a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #141517;
    --card: #1c1e21;
    --text: #e6e8ea;
    --quiet: #a3a9b0;
    --line: #34373c;
    --field: #7d848c;
    --accent: #91a7ff;
    --on-accent: #14193a;
    --good: #69db7c;
    --wait: #ffc078;
    --bad: #ff8787;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
header, main, footer { width: min(60rem, 100% - 2.5rem); margin: 0 auto; }
header {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 2rem;
  align-items: center;
  justify-content: space-between;
  padding-block: 1rem;
  border-bottom: 1px solid var(--line);
}
main { padding-block: 2rem; }
main:focus { outline: none; }
footer { padding-block: 1rem 2rem; color: var(--quiet); font-size: 0.875rem; border-top: 1px solid var(--line); }
h1, h2, h3, p { margin: 0; }
h1 { font-size: 1.75rem; line-height: 1.25; }
h2 { font-size: 1.25rem; margin-bottom: 0.75rem; }
h3 { font-size: 1rem; }
a { color: var(--accent); }
code { font-size: 0.875em; }
section { margin-top: 2.5rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.brand { color: var(--text); font-weight: 600; text-decoration: none; }
.lead, .quiet { color: var(--quiet); }
.quiet { font-size: 0.875rem; }
.skip, .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { width: auto; height: auto; clip-path: none; padding: 0.5rem 1rem; background: var(--card); }

.who { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: center; }
.who > span { color: var(--quiet); font-size: 0.875rem; }
.who > div { display: flex; flex-wrap: wrap; gap: 0.25rem; }
.who button { padding: 0.25rem 0.625rem; font-size: 0.875rem; }
.who small { color: inherit; }
button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }

button, .button {
  display: inline-block;
  padding: 0.375rem 0.875rem;
  border: 1px solid var(--field);
  border-radius: 0.375rem;
  background: var(--card);
  color: var(--text);
  font: inherit;
  text-decoration: none;
  white-space: nowrap;
  cursor: pointer;
}
button:hover, .button:hover { border-color: var(--accent); }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.title { display: flex; flex-wrap: wrap; gap: 1rem 2rem; justify-content: space-between; align-items: start; }
.title > :first-child { flex: 1 1 16rem; min-width: 0; }

.card { padding: 1.25rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: 1rem; padding: 0; margin: 1.5rem 0 0; list-style: none; }
.cards h2 { margin: 0; }
.cards .card { gap: 0.5rem; align-content: start; }
.card { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
.edit { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; padding-top: 2rem; border-top: 1px solid var(--line); }
.edit h2 { margin: 0; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr)); gap: 1rem; }
label { display: grid; gap: 0.25rem; font-size: 0.875rem; font-weight: 500; }
.choice { display: flex; gap: 0.375rem; align-items: center; font-weight: 400; font-size: 1rem; }
fieldset { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: center; margin: 0; padding: 0; border: 0; }
legend { padding: 0; margin-bottom: 0.25rem; font-size: 0.875rem; font-weight: 500; }
input:not([type="radio"]), textarea {
  width: 100%;
  padding: 0.375rem 0.625rem;
  border: 1px solid var(--field);
  border-radius: 0.375rem;
  background: var(--card);
  color: var(--text);
  font: inherit;
  font-size: 1rem;
  font-weight: 400;
}
input[type="file"]::file-selector-button { margin-right: 0.75rem; font: inherit; }
.fault { color: var(--bad); font-weight: 500; }

.rows { margin: 0; padding: 0; list-style: none; }
.rows li {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 2rem;
  align-items: center;
  justify-content: space-between;
  padding-block: 0.75rem;
  border-top: 1px solid var(--line);
}
.rows li > div { flex: 1 1 14rem; min-width: 0; }

.notice { margin-bottom: 2rem; padding: 0.75rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--quiet); border-radius: 0.375rem; background: var(--card); }
.notice p + p { font-size: 0.875rem; color: var(--quiet); }
.notice.sent { border-left-color: var(--good); }
.notice.waiting { border-left-color: var(--wait); }
.notice.parked { border-left-color: var(--bad); }
.reports { margin: 0; padding: 0; list-style: none; }
.reports li { padding: 0.5rem 0 0.5rem 0.75rem; border-left: 3px solid var(--line); }
.reports .sent { border-left-color: var(--good); }
.reports .waiting { border-left-color: var(--wait); }
.reports .parked { border-left-color: var(--bad); }
.reports .quiet { display: block; }

.wide { display: flex; flex-direction: column; min-height: 100dvh; }
.wide header, .wide main, .wide footer { width: min(80rem, 100% - 2.5rem); }
.wide main { display: flex; flex: 1; flex-direction: column; gap: 1rem; padding-block: 1rem; }
.wide footer { padding-block: 0.75rem; }
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; align-items: center; justify-content: space-between; }
.bar h1 { font-size: 1.25rem; }
iframe { width: 100%; height: 44rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); }
@media (max-width: 40rem) {
  .wide main { width: 100%; }
  .bar { padding-inline: 1.25rem; }
  iframe { border-inline: 0; border-radius: 0; }
}
`;
