/**
 * Every webhook's URL is sealed, with its host beside it. Sealing needs the key: the start does it, and hides the URL in
 * what was written down (`seal-addresses.ts`). Until that is done, rows of the audit log may be changed.
 */
export const sealedAddresses = `
alter table webhooks add column host text;
insert into meta (key, value) values ('addresses_sealed', '{"step":"webhooks","after":{"no":0},"found":false}');
create or replace function mh_audit_is_kept() returns trigger language plpgsql as
  $$ begin
    if tg_op = 'UPDATE' and exists (select from meta where key = 'addresses_sealed' and value <> 'done') then
      return null;
    end if;
    raise exception 'rows of the audit log are never changed or deleted';
  end $$;
`;
