/** From where a key is taken: CIDRs with blanks, empty for anywhere. */
export const keyAddresses = `
alter table api_keys add column addresses text not null default '';
`;
