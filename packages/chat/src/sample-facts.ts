import { EVENT_SUBJECTS, type EventName } from "@markethook/protocol/event-names";
import { sampleEventDetails } from "@markethook/protocol/sample-event";
import type { EventFacts } from "./event-facts.ts";

/** 2026-01-02 03:04:05 UTC. */
const TIME = 1_767_323_045;
const FILE = { fileType: "zip", branch: "release" };
const UPDATE = {
  previous: { version: "1.0.2", id: "u1", time: TIME - 864_000, size: "1180000", ...FILE },
  update: {
    version: "1.1.0",
    id: "u2",
    time: TIME,
    size: "1240000",
    ...FILE,
    title: "The moat",
    description: "Now with water.",
  },
};

/** An event as it could be, for a preview. */
export function sampleFacts(
  event: EventName,
  of: { title: string; url: string; serviceName: string },
): EventFacts {
  const product = { id: "castle", title: of.title, subtitle: "A map for eight", url: of.url };
  return {
    name: event,
    time: TIME,
    payload: JSON.stringify({ product, ...contentOf(event) }),
    details: JSON.stringify(event === "ping" ? null : sampleEventDetails(event)),
    serviceName: of.serviceName,
  };
}

function contentOf(event: EventName): object {
  switch (EVENT_SUBJECTS[event]) {
    case "webhook":
      return { webhook: { url: "https://receiver.example/" } };
    case "user":
      return { user: { id: 4711 } };
    case "update":
      return UPDATE;
  }
}
