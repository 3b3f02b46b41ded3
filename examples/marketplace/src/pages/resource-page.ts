import { html, words, type Html } from "../html.ts";
import { mayDownload } from "../actions/download.ts";
import type { Person } from "../people.ts";
import type { FileVersion, SoldResource } from "../shop-data.ts";
import type { Shop } from "../shop.ts";
import { editSection, type FormState } from "./edit-section.ts";
import { layout } from "./layout.ts";
import { reportNotice } from "./report-notice.ts";
import { day, money, size } from "./shown-values.ts";

export interface ResourceView {
  shop: Shop;
  resource: SoldResource;
  person: Person;
  /** What an action just caused. */
  reportKey?: string | undefined;
  /** What else an action has to say. */
  remark?: string | undefined;
  /** Why reports wait; null if they do not. */
  problem: string | null;
  form?: FormState;
}

export function resourcePage(view: ResourceView): string {
  const { shop, resource, person, problem } = view;
  const report = shop.data.reports.find(
    ({ key, resourceId }) => key === view.reportKey && resourceId === resource.id,
  );
  const isOwner = person.kind === "owner" && person.id === resource.ownerId;
  return layout({
    title: resource.title,
    person,
    path: `/resource/${resource.id}`,
    main: html`${report === undefined ? null : reportNotice(report, problem)}
      ${view.remark === undefined ? null : html`<div class="notice" role="status"><p>${view.remark}</p></div>`}
      <div class="title">
        <div>
          <h1>${words(resource.title)}</h1>
          <p class="lead">${words(resource.subtitle)}</p>
        </div>
        ${
          isOwner
            ? html`<p class="actions"><a class="button" href="#edit">Edit</a></p>`
            : buyButton(view)
        }
      </div>
      ${fileVersions(view)} ${isOwner ? editSection(view) : null}`,
  });
}

function buyButton({ shop, resource, person }: ResourceView): Html {
  if (mayDownload(shop, resource, person))
    return html`<p class="actions quiet">You bought this.</p>`;
  return html`<form class="actions" method="post" action="/resource/${resource.id}/buy">
    <button class="primary">Buy for ${money(resource.price)}</button>
  </form>`;
}

function fileVersions(view: ResourceView): Html {
  const versions = view.resource.versions.toReversed().map((version) => fileVersion(view, version));
  return html`<section aria-labelledby="versions">
    <h2 id="versions">File versions</h2>
    <ul class="rows">
      ${versions}
    </ul>
  </section>`;
}

function fileVersion(view: ResourceView, file: FileVersion): Html {
  const { shop, resource, person } = view;
  const download = mayDownload(shop, resource, person)
    ? html`<form method="post" action="/resource/${resource.id}/download">
        <button name="versionId" value="${file.id}" aria-label="Download ${file.version}">
          Download
        </button>
      </form>`
    : html`<span class="quiet">Buy to download</span>`;
  return html`<li>
    <div>
      <strong>${words(file.version)}</strong> ${words(file.title)}
      <p class="quiet">
        ${day(file.time)} · ${size(file.size)} · ${words(file.fileType)} · ${file.branch}
      </p>
    </div>
    ${download}
  </li>`;
}
