import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { MarkethookError } from "@markethook/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";

/** Reading requests of one owner that are worked on at once. A page asks for a handful. */
const AT_ONCE = 4;
/** And those that wait. More are refused. */
const MOST_WAITING = 100;
/** It stays open for as long as its page; the feed has limits of its own. */
const STREAM = "/v1/deliveries/stream";

interface Turns {
  underWay: number;
  /** First come, first served. */
  waiting: Set<{ isGone: () => boolean; begin: () => void }>;
}

/**
 * The sessions of one owner read with a few requests at once, and more wait for their turn. A turn lasts until the
 * answer is sent or its connection is closed; a request whose client has gone gets none. Otherwise one owner's script,
 * or a client that does not read its answers, would hold up everybody: all reading goes through one queue.
 */
export function useOwnerTurns(app: FastifyInstance): void {
  const owners = new Map<string, Turns>();
  const whenOver = createEndWatch();

  function takeTurn(ownerId: string, reply: FastifyReply, done: (error?: Error) => void): void {
    const { socket } = reply.raw.req;
    // It closed while its session was looked up: nothing would end its turn.
    if (socket.destroyed) return;
    const turns = owners.get(ownerId) ?? { underWay: 0, waiting: new Set() };
    owners.set(ownerId, turns);
    if (turns.underWay >= AT_ONCE && turns.waiting.size >= MOST_WAITING) {
      return done(
        new MarkethookError("owner_limit_reached", {
          detail: `${MOST_WAITING} requests of this owner wait for an answer.`,
          retryAfterSeconds: 1,
        }),
      );
    }
    let begun = false;
    const waiter = {
      isGone: () => socket.destroyed || socket.writableEnded,
      begin() {
        begun = true;
        turns.underWay += 1;
        done();
      },
    };
    whenOver(reply.raw, () => {
      turns.waiting.delete(waiter);
      if (!begun) return;
      turns.underWay -= 1;
      for (const next of turns.waiting) {
        turns.waiting.delete(next);
        if (next.isGone()) continue;
        return next.begin();
      }
      if (turns.underWay === 0) owners.delete(ownerId);
    });
    if (turns.underWay < AT_ONCE) waiter.begin();
    else turns.waiting.add(waiter);
  }

  app.addHook("onRequest", (request, reply, done) => {
    const { actor, method, routeOptions } = request;
    const isRead = (method === "GET" || method === "HEAD") && routeOptions.url !== STREAM;
    // What is done step by step counts first, which reads more than a list.
    const reads = isRead || routeOptions.config.limit === "steps";
    if (actor?.kind !== "session" || actor.ownerId === null || !reads) return done();
    return takeTurn(actor.ownerId, reply, done);
  });
}

/**
 * Calls back once, when an answer was sent or its connection has closed. Of several requests that were sent ahead on a
 * connection, Node tells only the first answer that it closed.
 */
function createEndWatch(): (answer: ServerResponse, over: () => void) => void {
  const open = new WeakMap<Socket, Set<() => void>>();

  return (answer, over) => {
    const { socket } = answer.req;
    const ends = open.get(socket) ?? new Set();
    if (!open.has(socket)) {
      open.set(socket, ends);
      socket.once("close", () => [...ends].forEach((end) => end()));
    }
    const end = (): void => {
      if (ends.delete(end)) over();
    };
    ends.add(end);
    answer.once("close", end);
  };
}
