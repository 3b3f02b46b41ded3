import type { TestContext } from "node:test";
import type { ActingStore, AuditActor, Store } from "@markethook/store";

/**
 * Replaces methods of what the store does in somebody's name, until the test ends. They are made for each request, so
 * they cannot be mocked in place.
 */
export function replaceActing<Part extends keyof ActingStore>(
  t: TestContext,
  store: Store,
  part: Part,
  methods: (real: ActingStore[Part]) => Partial<ActingStore[Part]>,
): void {
  const actingAs = store.actingAs.bind(store);
  t.mock.method(store, "actingAs", (actor: AuditActor): ActingStore => {
    const acting = actingAs(actor);
    return { ...acting, [part]: { ...acting[part], ...methods(acting[part]) } };
  });
}
