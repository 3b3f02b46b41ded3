import Fastify, { type FastifyInstance } from "fastify";
import { LIMITS, makeTag } from "@markethook/protocol";
import { collectAllowedMethods } from "./request/allowed-methods.ts";
import type { AppDeps, Deadlines } from "./app-deps.ts";
import { useAuthentication } from "./auth/authentication-hook.ts";
import { createBodyBudget } from "./request/body-budget.ts";
import {
  createClientErrorHandler,
  createConnectHandler,
  createExpectationHandler,
} from "./request/client-errors.ts";
import { noteLatestAnswers, watchConnections } from "./request/connections/watch-connections.ts";
import { forTerminal, useCompression, useTransportSecurity } from "./request/outgoing-answers.ts";
import { createCursors } from "./request/cursor.ts";
import { createErrorHandler, sendNotFound } from "./request/error-handler.ts";
import { useJsonBodies } from "./request/json-body.ts";
import { useOpenApi } from "./document/openapi.ts";
import { createOwnerLimits, useOwnerLimits } from "./auth/owner-limits.ts";
import { useOwnerTurns } from "./auth/owner-turns.ts";
import { buildLazySerializers } from "./request/serialization.ts";
import { targetOf, useRequestChecks } from "./request/request-checks.ts";
import type { ApiInstance, RouteContext } from "./route-context.ts";
import { useBoundResource } from "./auth/bound-resource.ts";
import { activityRoutes } from "./routes/activity.ts";
import { apiKeyRoutes } from "./routes/api-keys.ts";
import { auditRoutes } from "./routes/audit.ts";
import { deliveryStreamRoutes } from "./routes/delivery-stream.ts";
import { deliveryRoutes } from "./routes/deliveries.ts";
import { earlySendingRoutes } from "./routes/early-sending.ts";
import { eventRoutes } from "./routes/events.ts";
import { checkRoutes } from "./routes/checks.ts";
import { storedEventRoutes } from "./routes/stored-events.ts";
import { importRoutes } from "./routes/import.ts";
import { noticeRoutes } from "./routes/notices.ts";
import { operatorRoutes } from "./routes/operator.ts";
import { portalSessionRoutes } from "./routes/portal-sessions.ts";
import { replayRoutes } from "./routes/replay.ts";
import { resourceRoutes } from "./routes/resources.ts";
import { openApiRoute, securityTxtRoute, serviceRoutes } from "./routes/service.ts";
import { userRoutes } from "./routes/users.ts";
import { webhookActionRoutes } from "./routes/webhook-actions.ts";
import { webhookSecretRoutes } from "./routes/webhook-secrets.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import { validatorCompiler } from "./request/validation.ts";

/** Of one thing; routes of events and of many things have limits of their own. With room for spaces and escapes. */
const BODY_LIMIT = LIMITS.eventBytes + 64 * 1024;
/** `checkMs`: how often Node looks for requests past their deadline. */
const DEADLINES: Deadlines = { headersMs: 5000, bodyMs: 10_000, checkMs: 1000 };
const HEADER_BYTES = 16 * 1024;

/** The HTTP API as a fastify application that listens on nothing yet. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const nextRequestId = requestIds(deps);
  const deadlines = deps.deadlines ?? DEADLINES;
  const limits = deps.connections;
  let onClientError: ReturnType<typeof createClientErrorHandler> | undefined;
  let onError: ReturnType<typeof createErrorHandler> | undefined;
  const app = Fastify({
    // Requests are not logged one by one: accepted batches and failures are, through `deps.logger`.
    logger: false,
    trustProxy: deps.trustProxy,
    bodyLimit: BODY_LIMIT,
    // Room for the longest id, even with every character percent-encoded.
    routerOptions: { maxParamLength: 3 * LIMITS.idLength },
    requestTimeout: deadlines.headersMs + deadlines.bodyMs,
    keepAliveTimeout: limits.idleMs,
    http: {
      headersTimeout: deadlines.headersMs,
      connectionsCheckingInterval: deadlines.checkMs,
      maxHeaderSize: HEADER_BYTES,
      // Node would answer by itself, and not in our form: see the hook below.
      requireHostHeader: false,
    },
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializers } },
    // Fastify's own 503 is no problem document. While closing, `accept` answers by itself.
    return503OnClosing: false,
    genReqId: nextRequestId,
    rewriteUrl: targetOf,
    clientErrorHandler: (error, socket) => onClientError?.(error, socket),
    frameworkErrors: (error, request, reply) => onError?.(error, request, reply),
  });
  app.server.on("checkExpectation", createExpectationHandler(nextRequestId));
  app.server.on("connect", createConnectHandler(nextRequestId, limits.graceMs));
  const latest = noteLatestAnswers(app.server);
  onClientError = createClientErrorHandler(nextRequestId, latest, limits.graceMs);
  watchConnections(app.server, {
    limits,
    latest,
    nowMs: deps.elapsedMs,
    everyMs: deadlines.checkMs,
    arrivalMs: deadlines.headersMs + deadlines.bodyMs,
    onCut: deps.connectionCut,
  });
  // Above a number, Node drops headers without an error. Their size is limited instead.
  app.server.maxHeadersCount = 0;

  const allowed = collectAllowedMethods(app);
  onError = createErrorHandler(deps, allowed);
  app.setErrorHandler(onError);
  app.setNotFoundHandler((request, reply) => sendNotFound(request, reply, allowed));
  app.setValidatorCompiler(validatorCompiler);
  // The error handler makes the text; fastify's own would repeat the input.
  app.setSchemaErrorFormatter(() => new Error("invalid"));
  app.decorateRequest("actor", null);
  app.decorateRequest("textSuspicious", false);
  useRequestChecks(app, {
    logger: deps.logger,
    sendNotFound: (request, reply) => sendNotFound(request, reply, allowed),
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    reply.header("x-content-type-options", "nosniff");
    if (deps.isStopping()) reply.header("connection", "close");
    done(null, forTerminal(request, reply, payload));
  });
  useTransportSecurity(app, deps.publicUrl);
  useCompression(app);
  useJsonBodies(app, createBodyBudget(deps.bodyBytes));
  await useOpenApi(app, deps);

  const context: RouteContext = {
    deps,
    cursors: createCursors(deps.cursorKey),
    limits: createOwnerLimits(deps.ownerLimits, deps.elapsedMs),
  };
  serviceRoutes(app, deps);
  securityTxtRoute(app, deps);
  await app.register(
    (v1, _options, done) => {
      useAuthentication(v1, deps);
      useOwnerTurns(v1);
      useBoundResource(v1, deps);
      useOwnerLimits(v1, context.limits);
      // It is the same instance; only its types learn to read TypeBox.
      const api = v1 as ApiInstance;
      openApiRoute(v1);
      resourceRoutes(api, context);
      eventRoutes(api, context);
      storedEventRoutes(api, context);
      webhookRoutes(api, context);
      webhookSecretRoutes(api, context);
      webhookActionRoutes(api, context);
      deliveryRoutes(api, context);
      activityRoutes(api, context);
      earlySendingRoutes(api, context);
      replayRoutes(api, context);
      deliveryStreamRoutes(api, context);
      checkRoutes(api, context);
      noticeRoutes(api, context);
      apiKeyRoutes(api, context);
      importRoutes(api, context);
      portalSessionRoutes(api, context);
      operatorRoutes(api, context);
      auditRoutes(api, context);
      userRoutes(api, context);
      done();
    },
    { prefix: "/v1" },
  );
  deps.servePages?.(app);
  await app.ready();
  return app;
}

/** Unique among instances and restarts, and cheap: a random start and a counter. */
function requestIds(deps: AppDeps): () => string {
  const start = makeTag(deps.randomBytes);
  let count = 0;
  return () => {
    count += 1;
    return `req_${start}${count.toString(36)}`;
  };
}
