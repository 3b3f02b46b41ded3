/** The value of `X-{Service}-Webhook-Version`. */
export const WEBHOOK_VERSION = "1";

export const DEFAULT_SERVICE_NAME = "Service";

export function isServiceName(name: string): boolean {
  return name.length <= 64 && /^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/.test(name);
}

export type HeaderNames = ReturnType<typeof headerNames>;

/** Header names that carry the service's own name, e.g. `X-Service-Signature`. */
export function headerNames(serviceName: string) {
  const prefix = `X-${serviceName}`;
  return {
    version: `${prefix}-Webhook-Version`,
    signature: `${prefix}-Signature`,
    signatureNext: `${prefix}-Signature-Next`,
    hookId: `${prefix}-Hook-Id`,
    resourceId: `${prefix}-Resource-Id`,
    deliveryId: `${prefix}-Delivery-Id`,
    attempt: `${prefix}-Attempt`,
  };
}

/** Standard Webhooks' header names. */
export const STANDARD_HEADERS = {
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature",
} as const;

const SIGNATURE_HEADER = /^(?:x-.+|webhook)-signature(?:-next)?$/i;

/** Whether a header of one of our requests has a signature, whatever the service is called. */
export function isSignatureHeader(name: string): boolean {
  return SIGNATURE_HEADER.test(name);
}

/** Stands for the signature where a request is shown to somebody who may not see secrets. */
export const HIDDEN_SIGNATURE = "…";

/** A receiver may answer with this header to stop a delivery, or its webhook. */
export const DELIVERY_CONTROL_HEADER = "webhook-delivery";
export type DeliveryControl = "abort-message" | "disable";
