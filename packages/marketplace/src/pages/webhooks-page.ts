import { html, words } from "../html.ts";
import type { Person } from "../people.ts";
import type { SoldResource } from "../shop-data.ts";
import { layout } from "./layout.ts";

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
        src="${frameUrl}"
        title="Webhooks of ${resource.title}"
        allow="clipboard-write"
      ></iframe>`,
  });
}
