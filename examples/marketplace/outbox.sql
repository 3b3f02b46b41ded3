-- What the marketplace still has to report. It stands in the marketplace's own database, so that a row is written in
-- the same transaction as the order or refund it is about: both are there, or neither. Written for SQLite.
-- PostgreSQL: `id bigint generated always as identity primary key`. MySQL: `id bigint auto_increment primary key`,
-- `varchar(255)` for the key, and no `where` on the index: `index (state, id)`.
create table outbox (
  id integer primary key,
  idempotency_key text not null, -- of the order's or refund's own line: 'line-88213-1', 'refund-5120-1'
  resource_id text not null, -- a key counts within its resource
  event text not null, -- the JSON body, written once and sent the same at each try
  state text not null default 'waiting', -- waiting, sent, parked
  event_id text, -- when sent: what Markethook calls it
  error text, -- when parked: the error code
  written_at timestamp not null default current_timestamp, -- which rows to send again after a restore
  unique (resource_id, idempotency_key)
);
create index outbox_waiting on outbox (id) where state = 'waiting';
