/**
 * Whose a resource was when. `owned_above`: its owner's time begins with the events above this number. `past_owners`: who
 * had it before, for the events above one number and up to another. What is known of changes until now is filled in from
 * their notices; an event of the same millisecond is the old owner's.
 */
export const ownersTimes = `
alter table resources add column owned_above bigint not null default 0;
create table past_owners (
  resource_id text not null,
  owner_id text not null,
  above bigint not null,
  upto bigint not null
);
create index past_owners_by_owner on past_owners (owner_id, resource_id);
insert into past_owners (resource_id, owner_id, above, upto)
select resource_id, owner_id, coalesce(lag(upto) over (partition by resource_id order by no), 0), upto
from (
  select n.no, n.resource_id, n.owner_id,
    coalesce((
      select max(e.seq) from events e where e.resource_id = n.resource_id and e.accepted_at <= n.created_at
    ), 0) as upto
  from notices n
  where n.kind = 'owner_changed' and n.owner_id = n.detail::json ->> 'from'
) as changes;
update resources set owned_above = (select max(p.upto) from past_owners p where p.resource_id = resources.id)
where id in (select resource_id from past_owners);
insert into past_owners (resource_id, owner_id, above, upto)
select r.id, r.owner_id, r.owned_above, (select max(e.seq) from events e where e.resource_id = r.id)
from resources r
where r.deleted_at is not null and r.owned_above < (select max(e.seq) from events e where e.resource_id = r.id);
update resources set owned_above = (select max(p.upto) from past_owners p where p.resource_id = resources.id)
where deleted_at is not null and id in (select resource_id from past_owners);
`;
