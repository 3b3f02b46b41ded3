import { Checkbox, TextInput, VisuallyHidden } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { ApiError, type Webhook } from "@markethook/client";
import {
  FIELDS_AT_FIRST,
  TEXT_LENGTHS,
  WEBHOOK_FIELDS,
  WEBHOOK_TEXTS,
  type WebhookFields,
} from "@markethook/protocol/webhook-fields";
import { BusyButton } from "../shared/buttons.tsx";
import { ErrorNotice } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";
import { useRefusal } from "../shared/use-refusal.ts";
import { EventsField } from "./events-field.tsx";
import { UrlField, useUrlCheck } from "./url-field.tsx";
import { words } from "../words/words.ts";
import { chosenWords, faultWords } from "../shared/code-words.ts";

export interface WebhookValues extends Omit<WebhookFields, "events"> {
  url: string;
  /** Null: all. Undefined: left to the service. */
  events: string[] | null | undefined;
}

export type Field = keyof WebhookValues;
export const FIELDS: readonly Field[] = ["url", ...WEBHOOK_FIELDS];
export const EMPTY: WebhookValues = { url: "", ...FIELDS_AT_FIRST, events: undefined };

/** The value of a field that is saved, in words. */
export function savedWords(webhook: Webhook, field: Field): string {
  const { all, empty } = words.webhooks;
  if (field === "events") return webhook.events === null ? all : chosenWords(webhook.events);
  if (field === "includeDetails") {
    const { on, off } = words.webhooks.includeDetails;
    return webhook.includeDetails ? on : off;
  }
  return webhook[field] === "" ? empty : webhook[field];
}

/** The state of a webhook's form. The form's parent keeps it, so that it outlives the form. */
export function useWebhookForm(initial: WebhookValues): UseFormReturnType<WebhookValues> {
  return useForm<WebhookValues>({
    initialValues: initial,
    validate: {
      url: (url) => (url.trim() === "" ? words.webhooks.enterUrl : null),
      events: (events) => (events?.length === 0 ? words.webhooks.chooseEvent : null),
    },
  });
}

interface WebhookFormProps {
  form: UseFormReturnType<WebhookValues>;
  /** The URL as it is saved, which needs no check. */
  savedUrl: string;
  /** Format of the server or chat at that URL. */
  savedFormat?: string;
  resourceId: string | null;
  /** Id of an existing webhook. */
  webhookId?: string;
  submitLabel: string;
  busy: boolean;
  error: unknown;
  onSubmit: (values: WebhookValues) => void;
  /** Whether the form cannot be sent. */
  off?: boolean;
  /** Shown above the buttons. */
  after?: ReactNode;
  /** Shown above the URL. */
  before?: ReactNode;
  secondary?: ReactNode;
  /** Whether the URL has the focus at first. */
  fresh?: boolean;
}

/** URL and fields, for adding and for changing. */
export function WebhookForm(props: WebhookFormProps) {
  const { form } = props;
  const { url } = form.values;
  const asked = url === props.savedUrl ? "" : url;
  const { check, checking, error } = useUrlCheck(asked, props.resourceId, props.webhookId ?? null);
  const format = check?.format ?? props.savedFormat ?? "json";
  const isFresh = props.fresh ?? false;
  // Until somebody chooses, those that are best for what stands behind the URL.
  const chosen = form.values.events;
  const events = chosen === undefined ? (check?.defaultEvents ?? null) : chosen;
  const [submitted, setSubmitted] = useState<string | null>(null);
  // A refusal is about the URL that was sent, and over once another one is typed.
  const refusedUrl = url.trim() === submitted ? urlFaultOf(props.error) : null;
  const [first] = check?.ok === false ? check.faults : [];
  const typedUrl = first === undefined ? null : faultWords(first.code, first.sentence);
  // The check has already shown its words for the same URL, and they are shorter.
  const urlFault = form.errors["url"] ?? typedUrl ?? refusedUrl;
  const eventsFault = form.errors["events"] ?? null;
  const otherError = isAboutUrl(props.error) ? null : props.error;
  const refusal = useRefusal(urlFault ?? eventsFault);
  const whenAnswered = useEffectEvent((error: unknown) => {
    if (isAboutUrl(error)) refusal.refuse();
  });
  useEffect(() => whenAnswered(props.error), [props.error]);
  return (
    <form
      ref={refusal.form}
      className={`${stack["stack"]} ${stack["narrow"]}`}
      noValidate
      onSubmit={form.onSubmit((values) => {
        setSubmitted(values.url.trim());
        props.onSubmit({ ...values, url: values.url.trim() });
      }, refusal.refuse)}
    >
      {props.before}
      <UrlField
        value={url}
        // A pasted address can bring along characters that nobody sees, and that would be a part of it.
        onChange={(next) => form.setFieldValue("url", next.replace(/\p{Cf}/gu, ""))}
        check={check}
        checking={checking}
        isUnchecked={error !== null}
        error={urlFault}
        autoFocus={isFresh}
      />
      <EventsField
        value={events}
        onChange={(next) => form.setFieldValue("events", next)}
        bodiesOf={
          format === "json" && props.resourceId !== null
            ? { resourceId: props.resourceId, withDetails: form.values.includeDetails }
            : null
        }
        error={eventsFault}
      />
      {WEBHOOK_TEXTS.map((name) => (
        <TextInput
          key={name}
          label={words.webhooks.texts[name].label}
          description={words.webhooks.texts[name].about}
          maxLength={TEXT_LENGTHS[name]}
          value={form.values[name]}
          onChange={(event) => form.setFieldValue(name, event.currentTarget.value)}
        />
      ))}
      {format === "json" ? (
        <Checkbox
          label={words.webhooks.includeDetails.label}
          description={words.webhooks.includeDetails.about}
          checked={form.values.includeDetails}
          onChange={(event) => form.setFieldValue("includeDetails", event.currentTarget.checked)}
        />
      ) : null}
      <VisuallyHidden role="status">{refusal.said}</VisuallyHidden>
      <ErrorNotice error={otherError} />
      {props.after}
      <div className={stack["row"]}>
        <BusyButton type="submit" busy={props.busy} disabled={props.off ?? false}>
          {props.submitLabel}
        </BusyButton>
        {props.secondary}
      </div>
    </form>
  );
}

/** A refusal that is about the URL stands at the URL. */
function isAboutUrl(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    (["url_invalid", "target_blocked"].includes(error.code) || error.pointer === "/url")
  );
}

function urlFaultOf(error: unknown): ReactNode {
  if (!isAboutUrl(error)) return null;
  // The detail often begins with the title.
  const whole = error.detail.startsWith(error.title)
    ? error.detail
    : `${error.title} ${error.detail}`;
  return faultWords(error.code, whole);
}
