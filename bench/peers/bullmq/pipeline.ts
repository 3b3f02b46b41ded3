import { createHmac, randomBytes } from "node:crypto";
import { Queue, Worker } from "bullmq";
import Fastify from "fastify";
import { Redis } from "ioredis";
import { Pool } from "undici";

/**
 * The usual way to send webhooks from Node: an HTTP API that puts a job per webhook into BullMQ, and workers that sign
 * and send. In two processes, with kept connections, the fastest client call, bulk adds, deduplication by the order's
 * key, retries, and finished jobs removed. It keeps no attempts and no order per buyer.
 *
 *   node pipeline.ts api REDIS_PORT RECEIVER_PORT ADDRESSES SECRET     prints its origin
 *   node pipeline.ts worker REDIS_PORT RECEIVER_PORT ADDRESSES SECRET
 */
const [role, redisPort, receiverPort, addresses, secret = ""] = process.argv.slice(2);
const QUEUE = "webhooks";
const CONCURRENCY = 256;
const CONNECTIONS_PER_RECEIVER = 10;
const connection = new Redis({ port: Number(redisPort), maxRetriesPerRequest: null });

interface Job {
  url: { origin: string; path: string };
  resourceId: string;
  event: string;
  time: number;
  userId: number;
}

interface Reported {
  resourceId: string;
  event: string;
  user: { id: number };
  idempotencyKey: string;
}

if (role === "api") await serve();
else work();

async function serve(): Promise<void> {
  const queue = new Queue<Job>(QUEUE, {
    connection,
    defaultJobOptions: {
      attempts: 10,
      backoff: { type: "exponential", delay: 5000 },
      removeOnComplete: true,
    },
  });
  const app = Fastify({ logger: false, bodyLimit: 4 * 1024 * 1024 });
  app.post<{ Body: { events: Reported[] } }>("/v1/events", async (request, reply) => {
    const jobs = await queue.addBulk(request.body.events.map(toJob));
    const results = jobs.map((job) => ({ status: "accepted", eventId: job.id, deliveries: 1 }));
    return await reply.code(202).send({ results });
  });
  app.post<{ Params: { id: string }; Body: Omit<Reported, "resourceId"> }>(
    "/v1/resources/:id/events",
    async (request, reply) => {
      const { name, data, opts } = toJob({ ...request.body, resourceId: request.params.id });
      const job = await queue.add(name, data, opts);
      return await reply.code(202).send({ status: "accepted", eventId: job.id, deliveries: 1 });
    },
  );
  console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
}

function toJob(reported: Reported) {
  const { resourceId, event, user, idempotencyKey } = reported;
  const no = Number(resourceId.slice(resourceId.lastIndexOf("-") + 1)) % Number(addresses);
  const host = `127.1.${Math.floor(no / 250)}.${(no % 250) + 1}`;
  const url = { origin: `http://${host}:${receiverPort}`, path: "/hooks" };
  const time = Math.floor(Date.now() / 1000);
  const data: Job = { url, resourceId, event, time, userId: user.id };
  return { name: event, data, opts: { jobId: idempotencyKey } };
}

function work(): void {
  const pools = new Map<string, Pool>();
  const worker = new Worker<Job>(
    QUEUE,
    async ({ id, data }) => {
      const { url, resourceId, event, time, userId } = data;
      const body = JSON.stringify({
        event,
        time,
        nonce: randomBytes(12).toString("base64url"),
        payload: {
          product: {
            id: resourceId,
            title: "Castle",
            subtitle: "A map",
            url: `https://market.example/resource/${resourceId}`,
          },
          user: { id: userId },
        },
      });
      let pool = pools.get(url.origin);
      if (pool === undefined) {
        pool = new Pool(url.origin, { connections: CONNECTIONS_PER_RECEIVER });
        pools.set(url.origin, pool);
      }
      const answer = await pool.request({
        path: url.path,
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": "pipeline/1.0",
          "x-service-webhook-version": "1",
          "x-service-signature": createHmac("sha256", secret).update(body).digest("hex"),
          "x-service-resource-id": resourceId,
          "webhook-id": id ?? "",
        },
        body,
        headersTimeout: 15_000,
        bodyTimeout: 15_000,
      });
      await answer.body.dump();
      if (answer.statusCode >= 300) throw new Error(`status ${answer.statusCode}`);
    },
    { connection, concurrency: CONCURRENCY },
  );
  worker.on("error", (error) => console.error(error));
  process.on("SIGTERM", () => void worker.close().then(() => process.exit()));
}
