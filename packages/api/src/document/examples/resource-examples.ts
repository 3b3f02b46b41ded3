import {
  EVENT_TIME,
  OWNER_ID,
  PREVIOUS,
  RESOURCE_ID,
  type Scene,
  USER_ID,
} from "../sample-request.ts";
import { type OperationExamples, page } from "./operation-example.ts";

const input = { title: "Castle", subtitle: "A map", ownerId: OWNER_ID, fileVersion: PREVIOUS };
const created = { id: RESOURCE_ID, status: "created" };
const updated = { id: RESOURCE_ID, status: "updated" };

/** Of resources, and of moving here. */
export function resourceExamples({ baseUrl }: Scene): OperationExamples {
  const resource = {
    id: RESOURCE_ID,
    ...input,
    url: `${baseUrl}/resource/${RESOURCE_ID}`,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  };
  return {
    putResource: { requests: { castle: input }, answers: { 200: updated, 201: created } },
    putResources: {
      requests: { castle: { items: [{ id: RESOURCE_ID, ...input }] } },
      answers: { 200: { results: [created] } },
    },
    getResource: { answers: { 200: resource } },
    listResources: { answers: { 200: page(resource) } },
    deleteResource: { answers: { 204: null } },
    importRecords: {
      requests: {
        each: {
          records: [
            { kind: "resource", id: RESOURCE_ID, ...input },
            {
              kind: "webhook",
              resourceId: RESOURCE_ID,
              importId: "17",
              url: "https://bot.example/hooks",
              secret: "the secret that receivers know already",
            },
            {
              kind: "firstDownload",
              resourceId: RESOURCE_ID,
              userId: USER_ID,
              at: EVENT_TIME,
            },
            { kind: "fileVersion", resourceId: RESOURCE_ID, ...PREVIOUS },
          ],
          dryRun: true,
        },
      },
      answers: {
        200: {
          results: ["created", "created", "created", "unchanged"].map((status) => ({ status })),
        },
      },
    },
  };
}
