import { html, words } from "../html.ts";
import type { Person } from "../people.ts";
import type { SoldResource } from "../shop-data.ts";
import { layout } from "./layout.ts";

/** As this marketplace's own buttons and links are. */
const APPEARANCE = { accent: "#364fc7", radius: "6", font: "system-ui, sans-serif" };

/** In the frame's page: gives the frame the height of what it shows, as far as the window has room. */
export const FRAME_SCRIPT = `const frame = document.querySelector("iframe");
const { origin } = new URL(frame.src);
let height = 0;
const fit = () => {
  const room = innerHeight - frame.getBoundingClientRect().top - scrollY - 16;
  frame.style.height = Math.max(480, Math.min(height, room)) + "px";
};
addEventListener("message", (event) => {
  if (event.source !== frame.contentWindow || event.origin !== origin) return;
  if (event.data?.type !== "markethook:height") return;
  height = event.data.height;
  fit();
});
addEventListener("resize", fit);
`;

/** Markethook's page of the resource's webhooks, in a frame. */
export function webhooksPage(person: Person, resource: SoldResource, frameUrl: string): string {
  const path = `/resource/${resource.id}`;
  return layout({
    title: `Webhooks of ${resource.title}`,
    person,
    path,
    wide: true,
    main: html`<div class="bar">
        <h1>
          <a href="${path}">${words(resource.title)}</a> <span aria-hidden="true">›</span> Webhooks
        </h1>
        <p class="actions">
          <a class="button" href="${path}/webhooks/open" target="_blank" rel="noopener"
            >Open it by itself<span class="hidden">, in a new tab</span></a
          >
        </p>
      </div>
      <iframe
        src="${withAppearance(frameUrl)}"
        title="Webhooks of ${resource.title}"
        allow="clipboard-write"
      ></iframe>
      <script src="/frame.js"></script>`,
  });
}

/** Behind the link's code, where no server sees it. */
function withAppearance(link: string): string {
  return `${link}&${new URLSearchParams(APPEARANCE).toString()}`;
}
