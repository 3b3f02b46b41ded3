import type {
  FileVersion,
  PingPayload,
  PreviousFileVersion,
  Product,
  UpdatePayload,
  UserPayload,
} from "./envelope.ts";

/**
 * Payload builders. Each writes its members again, in the specification's order, so that neither the
 * order nor extra members of the input can reach the wire.
 */

export function resourceUrl(baseUrl: string, resourceId: string): string {
  return `${baseUrl.replace(/\/+$/, "")}/resource/${resourceId}`;
}

export function product(
  baseUrl: string,
  resource: { id: string; title: string; subtitle: string },
): Product {
  return {
    id: resource.id,
    title: resource.title,
    subtitle: resource.subtitle,
    url: resourceUrl(baseUrl, resource.id),
  };
}

export function pingPayload(of: Product, webhookUrl: string): PingPayload {
  return { product: of, webhook: { url: webhookUrl } };
}

export function userPayload(of: Product, userId: number): UserPayload {
  return { product: of, user: { id: userId } };
}

export function updatePayload(
  of: Product,
  previous: PreviousFileVersion,
  update: FileVersion,
): UpdatePayload {
  return {
    product: of,
    previous: previousVersion(previous),
    update: {
      ...previousVersion(update),
      title: update.title,
      description: update.description,
    },
  };
}

/** The members that `previous` has, in order; a new version becomes the next one's `previous` this way. */
export function previousVersion(version: PreviousFileVersion): PreviousFileVersion {
  return {
    version: version.version,
    id: version.id,
    time: version.time,
    size: version.size,
    fileType: version.fileType,
    branch: version.branch,
  };
}
