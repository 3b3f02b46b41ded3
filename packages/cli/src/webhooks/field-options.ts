import type { Webhook, WebhookInput } from "@markethook/client";
import {
  type GivenFields,
  givenFields,
  REPORTED_EVENT_NAMES,
  type WebhookFields,
} from "@markethook/protocol";
import { type Command, Option } from "commander";
import { oneOrMore } from "../options/option-values.ts";
import { visible } from "../output/visible-text.ts";

const EVENT_HELP = `an event to send, several times: ${REPORTED_EVENT_NAMES.join(", ")}`;

/** The options that set each field of a webhook. */
const FIELD_OPTIONS: Readonly<Record<keyof WebhookFields, readonly Option[]>> = {
  events: [
    new Option("--event <name>", EVENT_HELP).argParser(oneOrMore(REPORTED_EVENT_NAMES)),
    new Option("--all-events", "all events, also those of later versions").conflicts("event"),
  ],
  description: [new Option("--description <text>", "for people")],
  includeDetails: [
    new Option("--include-details", "send what was reported as `details` along with events"),
    new Option("--no-include-details", "send it no more"),
  ],
};

export interface FieldOptions extends Omit<GivenFields, "events"> {
  event?: NonNullable<WebhookInput["events"]>;
  allEvents?: boolean;
}

export function addFieldOptions(command: Command): Command {
  for (const option of Object.values(FIELD_OPTIONS).flat()) command.addOption(option);
  return command;
}

/** The fields that the options give. */
export function fieldsOf({ event, allEvents = false, ...rest }: FieldOptions) {
  return givenFields({ events: allEvents ? null : event, ...rest });
}

/** The shown text of each field; null: it is not shown. */
export function fieldFacts(webhook: Webhook): Record<keyof WebhookFields, string | null> {
  return {
    events: visible(eventsOf(webhook)),
    description: visible(webhook.description) || null,
    includeDetails: webhook.includeDetails ? "sent along with events" : null,
  };
}

export function eventsOf({ events }: Pick<Webhook, "events">): string {
  return events === null ? "all" : events.join(" ");
}
