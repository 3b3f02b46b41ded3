/**
 * Notices commit in another order than their numbers are taken. A reader that goes on "after number n" must not pass one
 * that is not committed yet. So a transaction that writes notices holds a shared lock, whose key has the last number that
 * was taken before its own. It never waits for that lock. Its first 16 bits are the mark of these locks.
 */
export const noticesInOrder = `
create function mh_mark_notice_numbers() returns trigger language plpgsql as $$
begin
  -- One lock per transaction: its first has the smallest number.
  if coalesce(current_setting('markethook.notices', true), '') = '' then
    perform pg_advisory_xact_lock_shared((7411::bigint << 48)
      + coalesce(pg_sequence_last_value(pg_get_serial_sequence(format('%I.%I', tg_table_schema, tg_table_name), 'no')), 0));
    perform set_config('markethook.notices', 'marked', true);
  end if;
  return null;
end $$;
create trigger mark_notice_numbers before insert on notices
  for each statement execute function mh_mark_notice_numbers();

-- Statements that begin after this see all notices up to this number. The number is read before the locks.
create function mh_settled_notices() returns bigint language plpgsql volatile as $$
declare
  taken constant bigint := coalesce(pg_sequence_last_value(pg_get_serial_sequence('notices', 'no')), 0);
begin
  return least(taken, (
    select min(((classid::bigint & 65535) << 32) + objid::bigint) from pg_locks
    where locktype = 'advisory' and objsubid = 1 and classid::bigint >> 16 = 7411
      and database = (select oid from pg_database where datname = current_database())
  ));
end $$;

drop function mh_oldest_running();
alter table notices drop column written_by;
`;
