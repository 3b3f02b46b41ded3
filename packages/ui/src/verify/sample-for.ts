/** What differs from service to service, and from webhook to webhook. */
export interface SampleFor {
  signature: string;
  /** Only there while a secret is being rotated. */
  signatureNext: string;
  /** Whether `webhook-signature` is sent, which covers id and time: not where an imported secret is no base64. */
  standard: boolean;
}
