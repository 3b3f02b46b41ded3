/**
 * A browser's translation puts an element in the place of each text (Chrome's a `font`), while React keeps the text that it
 * wrote: the next time that it removes it, or puts something in front of it, the browser throws, and the page is gone.
 * Here such a call means what stands in the text's place, and a text that React changes comes back into it.
 */
export function surviveTranslation(): void {
  const standIns = new WeakMap<Node, ChildNode>();
  const note = (records: readonly MutationRecord[]): void => {
    for (const { type, target, removedNodes, addedNodes, previousSibling } of records) {
      if (type === "characterData") standIns.get(target)?.replaceWith(target);
      for (const removed of removedNodes) {
        const standIn = addedNodes[0] ?? previousSibling;
        if (!(removed instanceof Text) || !(standIn instanceof HTMLElement)) continue;
        if (standIn.localName !== "font") continue;
        standIns.set(removed, standIn);
        observer.observe(removed, { characterData: true });
      }
    }
  };
  const observer = new MutationObserver(note);
  observer.observe(document.body, { childList: true, subtree: true });

  /** What stands for this child in its parent; null: nothing. */
  const standInOf = (parent: Node, child: Node): Node | null => {
    if (child.parentNode === parent) return child;
    note(observer.takeRecords());
    const standIn = standIns.get(child);
    return standIn?.parentNode === parent ? standIn : null;
  };
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    const standIn = standInOf(this, child);
    if (standIn !== null) removeChild.call(this, standIn);
    return child;
  };
  Node.prototype.insertBefore = function <New extends Node>(
    this: Node,
    added: New,
    before: Node | null,
  ): New {
    insertBefore.call(this, added, before === null ? null : standInOf(this, before));
    return added;
  };
}
