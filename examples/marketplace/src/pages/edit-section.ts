import { LIMITS } from "../form-text.ts";
import { html, words, type Html } from "../html.ts";
import { buyerName } from "../people.ts";
import { BRANCHES, type Order, type SoldResource } from "../shop-data.ts";
import type { Shop } from "../shop.ts";
import { explanation, headline } from "./report-notice.ts";
import { day, money } from "./shown-values.ts";

/** A form that was refused, as it was filled in. */
export interface FormState {
  name: "details" | "update";
  values: Readonly<Record<string, string>>;
  fault: string;
}

interface EditView {
  shop: Shop;
  resource: SoldResource;
  problem: string | null;
  form?: FormState;
}

const SHOWN_REPORTS = 10;

export function editSection(view: EditView): Html {
  return html`<section id="edit" class="edit" aria-labelledby="edit-heading">
    <div class="title">
      <div>
        <h2 id="edit-heading">Edit section</h2>
        <p class="quiet">Only you, the owner, see this.</p>
      </div>
      <a class="button primary" href="/resource/${view.resource.id}/webhooks">Webhooks</a>
    </div>
    ${update(view)} ${buyers(view)} ${details(view)} ${reports(view)}
  </section>`;
}

function update({ resource, form }: EditView): Html {
  const value = (name: string): string =>
    form?.name === "update" ? (form.values[name] ?? "") : "";
  const chosen = value("branch") || "release";
  const branches = BRANCHES.map(
    (branch) =>
      html`<label class="choice"
        ><input
          type="radio"
          name="branch"
          value="${branch}"
          ${branch === chosen ? html` checked` : null}
        />
        ${branch}</label
      >`,
  );
  return html`<form
    class="card"
    method="post"
    enctype="multipart/form-data"
    action="/resource/${resource.id}/update"
    aria-labelledby="update"
  >
    <h3 id="update">Post an update</h3>
    ${fault(form, "update")}
    <div class="pair">
      ${textField("Version", "version", value("version"))}
      <fieldset>
        <legend>Branch</legend>
        ${branches}
      </fieldset>
    </div>
    ${textField("Title", "title", value("title"))}
    <label
      >Description
      <textarea name="description" rows="3" maxlength="${LIMITS.description}">
${value("description")}</textarea>
    </label>
    <label>File <input type="file" name="file" required aria-describedby="file-help" /></label>
    <p class="quiet" id="file-help">
      Size and type are taken from the file. The last version is
      ${words(resource.versions.at(-1)?.version ?? "")}.
    </p>
    <p><button class="primary">Post update</button></p>
  </form>`;
}

function details({ resource, form }: EditView): Html {
  const values = form?.name === "details" ? form.values : undefined;
  return html`<form
    class="card"
    method="post"
    action="/resource/${resource.id}/details"
    aria-labelledby="details"
  >
    <h3 id="details">Details</h3>
    ${fault(form, "details")} ${textField("Title", "title", values?.["title"] ?? resource.title)}
    ${textField("Subtitle", "subtitle", values?.["subtitle"] ?? resource.subtitle)}
    <p><button>Save details</button></p>
  </form>`;
}

function textField(label: string, name: "version" | "title" | "subtitle", value: string): Html {
  const required = name === "subtitle" ? null : html` required`;
  return html`<label
    >${label}
    <input
      name="${name}"
      ${required}
      maxlength="${LIMITS[name]}"
      value="${value}"
      autocomplete="off"
  /></label>`;
}

function fault(form: FormState | undefined, name: FormState["name"]): Html | null {
  if (form?.name !== name) return null;
  return html`<p class="fault" role="alert">${form.fault}</p>`;
}

function buyers({ shop, resource }: EditView): Html {
  const orders = shop.data.orders.filter(({ resourceId }) => resourceId === resource.id);
  const list = html`<p class="quiet">
      “Chargeback” plays the buyer's bank, which may send it more than once, also after a refund.
    </p>
    <ul class="rows">
      ${orders.toReversed().map((order) => buyerRow(resource, order))}
    </ul>`;
  return html`<div class="card">
    <h3>Buyers</h3>
    ${
      orders.length > 0
        ? list
        : html`<p class="quiet">
            Nobody has bought this yet. Be one of the buyers (“You are”, above) and press Buy.
          </p>`
    }
  </div>`;
}

function buyerRow({ id: resourceId }: SoldResource, order: Order): Html {
  const name = buyerName(order.buyerId);
  const action = (kind: string, text: string): Html =>
    html`<button
      formaction="/resource/${resourceId}/orders/${order.id}/${kind}"
      aria-label="${text}: ${name}"
    >
      ${text}
    </button>`;
  return html`<li>
    <div>
      <strong>${name}</strong> user ${order.buyerId}
      <p class="quiet">${day(order.at)} · ${money(order.amount)} · ${order.state}</p>
    </div>
    <form method="post" class="actions">
      ${order.state === "paid" ? action("refund", "Refund") : null}
      ${action("chargeback", "Chargeback")}
    </form>
  </li>`;
}

function reports({ shop, resource, problem }: EditView): Html | null {
  const own = shop.data.reports.filter(({ resourceId }) => resourceId === resource.id);
  if (own.length === 0) return null;
  const items = own
    .slice(-SHOWN_REPORTS)
    .toReversed()
    .map(
      (report) =>
        html`<li class="${report.state}">
          ${headline(report)}<span class="quiet">${explanation(report, problem)}</span>
        </li>`,
    );
  return html`<div class="card">
    <h3>What Markethook was told</h3>
    <ul class="reports">
      ${items}
    </ul>
  </div>`;
}
