/** The actions that the audit log records. */
export const AUDIT_ACTIONS = [
  "webhook.create",
  "webhook.copy",
  "webhook.change",
  "webhook.delete",
  "webhook.pause",
  "webhook.resume",
  "webhook.disable",
  "webhook.recover",
  "webhook.replay",
  "webhook.send_waiting",
  "webhook.stop_waiting",
  "url.reveal",
  "secret.reveal",
  "secret.rotate",
  "secret.switch",
  "secret.cancel_rotation",
  "delivery.redeliver",
  "delivery.send_now",
  "resource.create",
  "resource.change",
  "resource.delete",
  "api_key.create",
  "api_key.revoke",
  "portal_session.create",
  "portal_session.open",
  "portal_session.renew",
  "portal_session.revoke",
  "import.run",
  "user.erase",
  "user.erased",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The kinds of things that an action can change. */
export const AUDIT_SUBJECTS = [
  "webhook",
  "delivery",
  "resource",
  "api_key",
  "portal_session",
  "import",
  "user",
] as const;

export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];
