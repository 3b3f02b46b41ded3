/**
 * For PostgreSQL, which chooses which of two transactions a deadlock ends: the first statement of this kind, such as
 * `delete on leased`, is ended like that. A sequence keeps its number when a transaction is undone.
 */
export function endedByADeadlockOnce(statement: string): string {
  return `
  create sequence tries;
  create function end_once() returns trigger language plpgsql as $$
    begin
      if nextval('tries') = 1 then
        raise exception 'deadlock detected' using errcode = 'deadlock_detected';
      end if;
      return null;
    end
  $$;
  create trigger end_once before ${statement} for each statement execute function end_once()`;
}
